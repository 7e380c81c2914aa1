# A pull request does not remove a batch export, which would end the flow of data to a warehouse.
package main

import rego.v1

deny contains message if {
	some change in input.changes
	change.kind == "batch_export"
	change.action in {"delete", "replace"}
	message := sprintf("%s: a batch export must not be removed (%s)", [change.address, change.action])
}
