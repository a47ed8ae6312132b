// Choices that threads gather keep the temporaries of the thread they came from; lists and texts are values too.
LIST goods = bread, cheese, wine
VAR owner = "nobody"
-> stall(1)

=== stall(round) ===
~ temp price = round + 1
Stall {round}, owned by {owner}.
<- seller("Ann", price)
<- seller("Bo", price * 2)
* [Wait] -> stall(round + 1)
+ [Leave] -> leave

=== seller(name, asks) ===
+ {goods !? wine} [Buy of {name}]
  ~ owner = name
  { asks:
  - 2: ~ goods += bread
  - 4: ~ goods += cheese
  - else: ~ goods += wine
  }
  {name} takes {asks}.
  -> stall(asks)
* [Ask {name}] {name} asks {asks}.
  ++ [Nod]
     "{asks}," says {name}.
  ++ [Shrug]
  -- -> stall(2)

=== leave ===
{goods}.
* {goods ? bread} [Eat] -> END
* [Go] {owner}.
  -> END
