VAR trust = 0
-> hub

=== hub
The hub.
* [Ask Ivo]
  Ivo: No.
  ~ trust = trust + 0.5
  -> hub
* [Ask Kate]
  KATE: Perhaps.
  -> hub
* -> leave

=== leave
They leave.
-> END
