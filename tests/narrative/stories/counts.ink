// Visit counts that are read exactly, as a limit, by a sequence, and by choices that are offered once.
-> square

=== square ===
{One|Two|Three|Many} bells.
* [Ask the smith] -> smith
* [Ask the baker] -> baker
+ {square < 6} [Wait]
  {!You wait.}
  -> square
+ {square > 2} [Leave] -> gate

=== smith ===
"Busy."
-> square

=== baker ===
"Bread?" {smith: "The smith sent you." | }
-> square

=== gate ===
You waited {square} times.
* {baker} [Eat]
  -> END
* [Go] -> END
