// Package providertest has Pulumi's own judge of providers look at the life of resources. The test in providertest.deep.test.ts
// writes their programs, starts their service, and runs this one.
package providertest

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/pulumi/providertest/pulumitest"
	"github.com/pulumi/providertest/pulumitest/assertpreview"
	"github.com/pulumi/providertest/pulumitest/assertrefresh"
	"github.com/pulumi/providertest/pulumitest/assertup"
	"github.com/pulumi/providertest/pulumitest/optnewstack"
	"github.com/pulumi/providertest/pulumitest/opttest"
	"github.com/pulumi/pulumi/sdk/v3/go/auto"
	"github.com/pulumi/pulumi/sdk/v3/go/auto/optimport"
	"github.com/pulumi/pulumi/sdk/v3/go/common/apitype"
)

// life is a program and its next versions, each in a folder of its own.
type life struct {
	Project string
	Env     map[string]string
	// What keeps the key of a stack.
	Secrets string
	// The numbers of resources that each version creates, updates or replaces.
	Creates  int
	Changed  version
	Replaced version
}

type version struct {
	Folder string
	Count  int
}

type resource struct {
	URN    string         `json:"urn"`
	Type   string         `json:"type"`
	ID     string         `json:"id"`
	Inputs map[string]any `json:"inputs"`
}

func TestLife(t *testing.T) {
	file := os.Getenv("DRIFTLINE_LIFE")
	if file == "" {
		t.Skip("npx vitest run --project deep-pulumi test/pulumi/providertest.deep.test.ts runs it")
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var one life
	if err := json.Unmarshal(text, &one); err != nil {
		t.Fatal(err)
	}
	keys := opttest.WorkspaceOptions(auto.SecretsProvider(one.Secrets))
	options := []opttest.Option{opttest.SkipInstall(), opttest.DisableGrpcLog(), keys}
	for key, value := range one.Env {
		options = append(options, opttest.Env(key, value))
	}
	stack := pulumitest.NewPulumiTest(t, one.Project, options...)

	t.Run("Preview", func(t *testing.T) {
		expectOnly(t, stack.Preview(t).ChangeSummary, apitype.OpCreate, one.Creates)
	})
	t.Run("Up", func(t *testing.T) {
		stack.Up(t)
		expectUnchanged(t, stack)
	})
	t.Run("UpAgain", func(t *testing.T) {
		assertup.HasNoChanges(t, stack.Up(t))
	})
	t.Run("Refresh", func(t *testing.T) {
		assertrefresh.HasNoChanges(t, stack.Refresh(t))
	})
	t.Run("Change", func(t *testing.T) {
		stack.UpdateSource(t, one.Changed.Folder)
		preview := stack.Preview(t)
		assertpreview.HasNoReplacements(t, preview)
		expectOnly(t, preview.ChangeSummary, apitype.OpUpdate, one.Changed.Count)
		assertup.HasNoDeletes(t, stack.Up(t))
		expectUnchanged(t, stack)
	})
	t.Run("Replace", func(t *testing.T) {
		stack.UpdateSource(t, one.Replaced.Folder)
		expectOnly(t, stack.Preview(t).ChangeSummary, apitype.OpReplace, one.Replaced.Count)
		stack.Up(t)
		assertrefresh.HasNoChanges(t, stack.Refresh(t))
		expectUnchanged(t, stack)
	})
	t.Run("Import", func(t *testing.T) {
		importAll(t, stack)
	})
	t.Run("Destroy", func(t *testing.T) {
		stack.Destroy(t)
		if left := resourcesOf(t, stack); len(left) > 0 {
			t.Errorf("the state still has %d resources", len(left))
		}
	})
}

// importAll imports every resource of a stack into another one, where a refresh then finds no change.
func importAll(t *testing.T, stack *pulumitest.PulumiTest) {
	keeping := opttest.NewStackOptions(optnewstack.DisableAutoDestroy())
	other := stack.CopyToTempDir(t, keeping)
	known := resourcesOf(t, stack)
	var wanted []*optimport.ImportResource
	for index, one := range known {
		name := fmt.Sprintf("imported%d", index)
		wanted = append(wanted, &optimport.ImportResource{Type: one.Type, Name: name, ID: importID(one)})
	}
	_, err := other.CurrentStack().ImportResources(
		other.Context(), optimport.Resources(wanted), optimport.Protect(false), optimport.GenerateCode(false),
	)
	if err != nil {
		t.Fatal(err)
	}
	imported := resourcesOf(t, other)
	if len(imported) != len(known) {
		t.Fatalf("%d of %d resources were imported", len(imported), len(known))
	}
	ids := map[string]bool{}
	for _, one := range imported {
		ids[one.ID] = true
	}
	for _, one := range known {
		if !ids[one.ID] {
			t.Errorf("the import of %s has another id than %s", one.Type, one.ID)
		}
	}
	assertrefresh.HasNoChanges(t, other.Refresh(t))
}

// importID is the id that the manual gives for an import: the place of the object, and its id or e-mail there.
func importID(one resource) string {
	for _, place := range []string{"organizationId", "projectId"} {
		value, isSet := one.Inputs[place]
		if !isSet {
			continue
		}
		if email, isPerson := one.Inputs["email"]; isPerson {
			return fmt.Sprintf("%v/%v", value, email)
		}
		return fmt.Sprintf("%v/%s", value, one.ID)
	}
	return one.ID
}

// resourcesOf returns driftline's resources in the state.
func resourcesOf(t *testing.T, stack *pulumitest.PulumiTest) []resource {
	t.Helper()
	var state struct{ Resources []resource }
	if err := json.Unmarshal(stack.ExportStack(t).Deployment, &state); err != nil {
		t.Fatal(err)
	}
	var own []resource
	for _, one := range state.Resources {
		if strings.Contains(one.Type, "driftline") && !strings.HasPrefix(one.Type, "pulumi:") {
			own = append(own, one)
		}
	}
	return own
}

func expectUnchanged(t *testing.T, stack *pulumitest.PulumiTest) {
	t.Helper()
	assertpreview.HasNoChanges(t, stack.Preview(t))
}

// expectOnly fails if a preview shows another operation than the given one, or another number of them. The stack itself is created, too.
func expectOnly(t *testing.T, summary map[apitype.OpType]int, op apitype.OpType, count int) {
	t.Helper()
	if op == apitype.OpCreate {
		count++
	}
	for found, number := range summary {
		if found != apitype.OpSame && found != op {
			t.Errorf("%d times %s in a preview of %s", number, found, op)
		}
	}
	if summary[op] != count {
		t.Errorf("%d times %s in a preview, and not %d", summary[op], op, count)
	}
}
