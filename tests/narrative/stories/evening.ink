# title: An evening
# author: The benchwright tests
# background: Ada and Ben run a small theatre.
# language: en
# protagonists: ADA, BEN
# license: MIT
VAR trust = 1
VAR open = true
VAR name = "Léa"
VAR next = -> lobby
LIST mood = (calm), (tired), angry
// The second line below is decomposed on purpose: Le + combining acute.
The lamps come on. # chapter: One # present: ADA, KATE
KATE: Is {name} here, {trust > 1: at last|or not}?
Dr Mabuse Senior: Not Léa, no.
It is late: nobody answers.
note: nothing.
-> lobby

=== lobby
{The lobby is quiet.|The lobby is quieter.|Nobody is left in the lobby.}
{stopping:
- The clock strikes nine.
- The clock strikes ten.
}
{
- trust > 1:
  Kate smiles at you.
- else:
  Kate looks away.
}
<- gossip
* "I am sorry[."]," you tell Kate.
  ~ trust += 2
  ~ mood = (calm)
  She nods <>
  and sits down.
  -> lobby
* {trust > 1} [BEN: Take her outside.]
  -> street
+ [Say nothing]
  -> street

=== gossip
* [Listen to the others]
  They talk about the play.
  -> lobby

=== street
~ open = false
~ next = -> street
The street is wet. # chapter: Two # protagonist: BEN
{trust > 1:
  * [Walk home together]
    -> together
}
+ [Walk home alone]
  You walk.
  {trust > 1: She waves.|She is gone.}
  -> END

=== together
You walk home, and {trust} stars are out.
-> END

=== unused
Nobody ever reads this. # ending: never
-> END
