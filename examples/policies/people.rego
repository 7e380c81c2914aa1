# A pull request must not make a person an owner of an organization. Level 15 is an owner.
package main

import rego.v1

deny contains message if {
	some change in input.changes
	change.kind in {"membership", "member", "invite"}
	some field in change.fields
	field.path == "/level"
	field.planned == 15
	message := sprintf("%s: a pull request must not make a person an owner", [change.address])
}
