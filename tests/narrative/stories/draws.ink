-> street
=== street
You meet {~a cat|a dog|a fox}.
+ [Walk on] -> street
+ [Go home] -> END
