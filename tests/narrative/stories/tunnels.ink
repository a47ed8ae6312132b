// Values that live in frames of the call stack: parameters, references, targets; and tunnels that return elsewhere.
VAR purse = 5
VAR next = -> inn
-> road

=== road ===
~ temp toll = 2
Road.
+ [Pay]
+ [Smile]
  ~ toll = 1
* [Choose the river]
  ~ next = -> river
- -> pay(toll, purse) ->
Left: {purse}, toll {toll}.
-> ask(next) ->
-> END

=== pay(price, ref from) ===
Pay?
+ [Yes]
  ~ from = from - price
+ [Haggle] -> haggle(price) ->
+ [Flee] ->-> fled
- ->->

=== haggle(ref cost) ===
{cost}?
+ [Down]
  ~ cost = cost - 1
+ [Up]
  ~ purse = purse - cost
- ->->

=== ask(-> where) ===
Where to?
+ [On] -> where
+ [On slowly] -> next

=== fled ===
Fled with {purse}.
* [Rest] -> next

=== inn ===
Inn.
* [Sleep] {purse}. -> END

=== river ===
River.
* [Swim] -> END
