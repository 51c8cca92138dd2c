// Package manifests checks deploy/kubernetes against the API's own Go types and against docs/operations.md and
// SECURITY.md. It uses no cluster, so admission and defaults are not tested. It is a separate module, so that building
// convertd does not fetch Kubernetes.
package manifests

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net/netip"
	"strings"
	"testing"
	"time"

	apps "k8s.io/api/apps/v1"
	autoscaling "k8s.io/api/autoscaling/v2"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	meta1 "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// objects returns the manifests as kustomize builds them, each decoded strictly:
// an unknown or duplicate field, a wrong type or an unknown kind fails the test.
func objects(t *testing.T) map[string]runtime.Object {
	t.Helper()
	built, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), "../../deploy/kubernetes")
	if err != nil {
		t.Fatal(err)
	}
	text, err := built.AsYaml()
	if err != nil {
		t.Fatal(err)
	}
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{apps.AddToScheme, autoscaling.AddToScheme, core.AddToScheme, networking.AddToScheme, policy.AddToScheme} {
		if err := add(scheme); err != nil {
			t.Fatal(err)
		}
	}
	decoder := serializer.NewCodecFactory(scheme, serializer.EnableStrict).UniversalDeserializer()
	all := map[string]runtime.Object{}
	reader := yaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(text)))
	for {
		document, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		object, kind, err := decoder.Decode(document, nil, nil)
		if err != nil {
			t.Errorf("%v\n%s", err, bytes.TrimSpace(document))
			continue
		}
		all[kind.Kind] = object
	}
}

func find[T runtime.Object](t *testing.T, all map[string]runtime.Object, kind string) T {
	t.Helper()
	object, ok := all[kind].(T)
	if !ok {
		t.Fatalf("there is no %s", kind)
	}
	return object
}

// TestPod checks that the container cannot become root, write to its disk or reach the API, and that it has probes.
func TestPod(t *testing.T) {
	pod := find[*apps.Deployment](t, objects(t), "Deployment").Spec.Template.Spec
	if len(pod.Containers) != 1 {
		t.Fatalf("%d containers", len(pod.Containers))
	}
	c := pod.Containers[0]
	drain, err := time.ParseDuration(find[*core.ConfigMap](t, objects(t), "ConfigMap").Data["CONVERTD_DRAIN"])
	if err != nil || drain < 2*time.Second {
		t.Errorf("the pod drains for %v: %v", drain, err)
	}
	for what, ok := range map[string]bool{
		"uid 65532":              *pod.SecurityContext.RunAsNonRoot && *pod.SecurityContext.RunAsUser == 65532,
		"a seccomp profile":      pod.SecurityContext.SeccompProfile.Type == core.SeccompProfileTypeRuntimeDefault,
		"no service account":     !*pod.AutomountServiceAccountToken,
		"a read-only disk":       *c.SecurityContext.ReadOnlyRootFilesystem,
		"no new privileges":      !*c.SecurityContext.AllowPrivilegeEscalation,
		"no capabilities":        len(c.SecurityContext.Capabilities.Drop) == 1 && c.SecurityContext.Capabilities.Drop[0] == "ALL",
		"all three probes":       c.StartupProbe != nil && c.ReadinessProbe != nil && c.LivenessProbe != nil,
		"memory limit":           !c.Resources.Limits.Memory().IsZero() && !c.Resources.Requests.Cpu().IsZero(),
		"spread over zones":      len(pod.TopologySpreadConstraints) == 2,
		"no volumes":             len(pod.Volumes) == 0,
		"time for the last call": time.Duration(*pod.TerminationGracePeriodSeconds)*time.Second >= drain+15*time.Second,
		"no fixed replicas":      find[*apps.Deployment](t, objects(t), "Deployment").Spec.Replicas == nil,
	} {
		if !ok {
			t.Errorf("the pod lacks: %s", what)
		}
	}
}

// TestTrustedProxies checks that only single addresses or small networks may set
// X-Forwarded-For, not the whole cluster.
func TestTrustedProxies(t *testing.T) {
	trusted := find[*core.ConfigMap](t, objects(t), "ConfigMap").Data["CONVERTD_TRUSTED_PROXIES"]
	for network := range strings.SplitSeq(trusted, ",") {
		prefix, err := netip.ParsePrefix(network)
		if err != nil || prefix.Addr().BitLen()-prefix.Bits() > 8 {
			t.Errorf("%s has more than 256 addresses: %v", network, err)
		}
	}
}

// TestSelectors checks that every selector of pods selects these.
func TestSelectors(t *testing.T) {
	all := objects(t)
	deployment := find[*apps.Deployment](t, all, "Deployment")
	pod := labels.Set(deployment.Spec.Template.Labels)
	selectors := map[string]*meta.LabelSelector{
		"Deployment":          deployment.Spec.Selector,
		"PodDisruptionBudget": find[*policy.PodDisruptionBudget](t, all, "PodDisruptionBudget").Spec.Selector,
		"NetworkPolicy":       &find[*networking.NetworkPolicy](t, all, "NetworkPolicy").Spec.PodSelector,
		"Service":             {MatchLabels: find[*core.Service](t, all, "Service").Spec.Selector},
	}
	for _, spread := range deployment.Spec.Template.Spec.TopologySpreadConstraints {
		selectors["spread over "+spread.TopologyKey] = spread.LabelSelector
	}
	for kind, selector := range selectors {
		if errs := meta1.ValidateLabelSelector(selector, meta1.LabelSelectorValidationOptions{}, field.NewPath(kind)); len(errs) > 0 {
			t.Error(errs.ToAggregate())
		}
		compiled, err := meta.LabelSelectorAsSelector(selector)
		if err != nil || compiled.Empty() || !compiled.Matches(pod) {
			t.Errorf("%s: %v selects %v: %v", kind, selector, pod, err)
		}
	}
	target := find[*autoscaling.HorizontalPodAutoscaler](t, all, "HorizontalPodAutoscaler").Spec.ScaleTargetRef
	if target.Kind != "Deployment" || target.Name != deployment.Name {
		t.Errorf("the autoscaler scales %v", target)
	}
}

// TestOutgoingConnections checks that outgoing connections are allowed only to Redis and DNS.
func TestOutgoingConnections(t *testing.T) {
	rules := find[*networking.NetworkPolicy](t, objects(t), "NetworkPolicy").Spec
	if len(rules.PolicyTypes) != 2 {
		t.Errorf("policy types: %v", rules.PolicyTypes)
	}
	for _, rule := range rules.Egress {
		if len(rule.To) == 0 || len(rule.Ports) == 0 {
			t.Errorf("a rule without a target or a port: %v", rule)
		}
		for _, port := range rule.Ports {
			if port.Port.IntValue() != 6379 && port.Port.IntValue() != 53 {
				t.Errorf("a way out by port %v", port.Port)
			}
		}
	}
}
