// One variable is still read at the door, one is not, and one is set again before it is read.
VAR key = false
VAR noise = 0
VAR bell = 0
-> hall

=== hall ===
You made {noise} steps.
+ [Take the key]
  ~ key = true
  ~ bell = 1
+ [Leave it]
  ~ bell = 2
* [Walk about]
  ~ noise = noise + 1
  -> hall
- -> door

=== door ===
A door.
* [Try it] {key: It opens. | It is shut.}
* [Listen] Nothing.
- ~ bell = 3
Bell {bell}.
-> END
