// Each choice breaks the runtime in another way; only the last is sound.
VAR zero = 0
VAR word = "abcdefgh"
It begins.
* [Loop in silence] -> silence
* [Chatter] -> chatter
* [Grow] -> grow
* [Divide] {1 / zero}
  -> END
* [Run out] -> loose
* [Leave]
  You leave.
  -> END

=== silence
-> silence

=== chatter
And again.
-> chatter

=== grow
~ word = word + word
-> grow

=== loose
A loose end.
