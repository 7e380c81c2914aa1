# Nobody becomes an owner of an organization by a pull request. Level 15 is an owner.
package main

deny contains message if {
	some change in input.changes
	change.kind in {"membership", "member", "invite"}
	some field in change.fields
	field.path == "/level"
	field.planned == 15
	message := sprintf("%s: nobody becomes an owner by a pull request", [change.address])
}
