# What protects an organization is not turned off.
package main

import rego.v1

weakest := {"/enforce_2fa": false, "/sso_enforcement": ""}

deny contains message if {
	some change in input.changes
	some field in change.fields
	field.planned == weakest[field.path]
	field.prior != field.planned
	message := sprintf("%s: %s must not be turned off", [change.address, trim_prefix(field.path, "/")])
}
