// What is read of the turn: since when, and which.
-> camp

=== camp ===
{TURNS_SINCE(-> camp_fire)} turns since the fire.
* [Make a fire] -> camp_fire
* [Sleep] -> camp
* [Walk] -> walk
+ {CHOICE_COUNT() == 0} [End] -> last

=== camp_fire ===
Warm.
* [Look] -> camp
* [Warm up] -> camp

=== walk ===
Far.
* [Back] -> camp
* [Far back]
  ** [And on] -> camp

=== last ===
Done.
* {TURNS_SINCE(-> walk) > 2} [Long ago] Turn {TURNS()}. -> END
* [Stop] -> END
