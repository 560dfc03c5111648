package dev.mailroom.system.deployment;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPeer;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPort;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The network policies of the chart, evaluated as Kubernetes does for a connection: the
 * policies of its source and those of its target must allow it.
 */
class NetworkPoliciesTest {

	private static final String PRODUCTION = Chart.values("production");

	private static final Peer PROMETHEUS = new Peer("monitoring", Map.of());

	private static final Peer CONTROLLER = new Peer("ingress", Map.of());

	private static final Peer STRANGER = new Peer("other", Map.of());

	private static final Peer NEIGHBOUR = new Peer("mail", Map.of());

	@TempDir
	Path directory;

	@ParameterizedTest
	@MethodSource(Chart.SET_NAMES)
	void theTestReachesTheApiByItsName(String set) throws IOException {
		Chart chart = Chart.with(this.directory, Chart.values(set), "test: {enabled: true, existingSecret: test-key}");
		List<NetworkPolicy> policies = chart.objects(NetworkPolicy.class);
		assertThat(chart.objects(Pod.class)).singleElement().satisfies((pod) -> {
			Peer test = new Peer("mail", pod.getMetadata().getLabels());
			Peer api = new Peer("mail",
					Map.of("app.kubernetes.io/name", pod.getMetadata().getLabels().get("app.kubernetes.io/name"),
							"app.kubernetes.io/instance", "mailroom", "app.kubernetes.io/component", "api"));
			assertThat(connects(policies, test, api, 8080)).isTrue();
			assertThat(connects(policies, test, new Peer("kube-system", Map.of()), 53)).isTrue();
			assertThat(connects(policies, test, new Peer("openshift-dns", Map.of()), 5353)).isTrue();
		});
	}

	@Test
	void everyPodOfTheReleaseHasANetworkPolicyAndOneDeniesEverythingElse() throws IOException {
		List<NetworkPolicy> policies = Chart.with(this.directory, PRODUCTION).objects(NetworkPolicy.class);
		assertThat(policies).anySatisfy((policy) -> {
			assertThat(policy.getMetadata().getName()).isEqualTo("mailroom-deny");
			assertThat(policy.getSpec().getPolicyTypes()).containsExactly("Ingress", "Egress");
			assertThat(policy.getSpec().getIngress()).isEmpty();
			assertThat(policy.getSpec().getEgress()).isEmpty();
		});
		assertThat(policies)
			.extracting(
					(policy) -> policy.getSpec().getPodSelector().getMatchLabels().get("app.kubernetes.io/component"))
			.contains("api", "admin", "worker", "migration", "test");
	}

	@Test
	void withoutNamedPeersHttpAndMetricsAreOpenToTheNamespaceOnly() throws IOException {
		List<NetworkPolicy> policies = Chart.with(this.directory, Chart.values("minimal")).objects(NetworkPolicy.class);
		assertThat(connects(policies, NEIGHBOUR, app("api"), 8080)).isTrue();
		assertThat(connects(policies, NEIGHBOUR, app("worker"), 8090)).isTrue();
		for (Peer peer : List.of(PROMETHEUS, CONTROLLER, STRANGER)) {
			assertThat(connects(policies, peer, app("api"), 8080)).isFalse();
			assertThat(connects(policies, peer, app("api"), 8090)).isFalse();
			assertThat(connects(policies, peer, app("worker"), 2525)).isFalse();
		}
	}

	@Test
	void namedPeersReachTheirPortsAndTheWorldReachesTheListeners() throws IOException {
		List<NetworkPolicy> policies = Chart.with(this.directory, PRODUCTION).objects(NetworkPolicy.class);
		assertThat(connects(policies, CONTROLLER, app("api"), 8080)).isTrue();
		assertThat(connects(policies, CONTROLLER, app("admin"), 8081)).isTrue();
		assertThat(connects(policies, CONTROLLER, app("api"), 8090)).isFalse();
		assertThat(connects(policies, PROMETHEUS, app("worker"), 8090)).isTrue();
		assertThat(connects(policies, PROMETHEUS, app("api"), 8080)).isFalse();
		assertThat(connects(policies, STRANGER, app("worker"), 2525)).isTrue();
		assertThat(connects(policies, STRANGER, app("worker"), 2587)).isTrue();
		assertThat(connects(policies, STRANGER, app("admin"), 8081)).isFalse();
	}

	@Test
	void appsReachWhatTheyNeedAndNothingElse() throws IOException {
		List<NetworkPolicy> policies = Chart.with(this.directory, PRODUCTION).objects(NetworkPolicy.class);
		for (int port : new int[] { 53, 5353, 1053, 5433, 9093, 25, 4318 }) {
			assertThat(connects(policies, app("worker"), STRANGER, port)).as("worker to " + port).isTrue();
		}
		assertThat(connects(policies, app("migration"), STRANGER, 5433)).isTrue();
		assertThat(connects(policies, app("migration"), STRANGER, 9093)).isFalse();
		assertThat(connects(policies, app("api"), STRANGER, 9093)).isFalse();
		assertThat(connects(policies, app("api"), STRANGER, 6443)).isFalse();
		assertThat(connects(policies, app("worker"), STRANGER, 443)).as("pods of the cluster").isFalse();
	}

	@Test
	void everyHostOfTheDatabaseAndEveryNameServerIsReachedAtItsPort() throws IOException {
		List<NetworkPolicy> policies = Chart.with(this.directory, Chart.values("ipv6")).objects(NetworkPolicy.class);
		for (String component : List.of("api", "admin", "worker", "migration")) {
			assertThat(connects(policies, app(component), STRANGER, 5432)).isTrue();
			assertThat(connects(policies, app(component), STRANGER, 5433)).isTrue();
			assertThat(connects(policies, app(component), STRANGER, 1053)).isTrue();
			assertThat(connects(policies, app(component), STRANGER, 10)).as("the end of an address").isFalse();
		}
		assertThat(connects(policies, app("worker"), STRANGER, 9092)).isTrue();
	}

	private static Peer app(String component) {
		return new Peer("mail", Map.of("app.kubernetes.io/name", "mailroom", "app.kubernetes.io/instance", "mailroom",
				"app.kubernetes.io/component", component));
	}

	private static boolean connects(List<NetworkPolicy> policies, Peer source, Peer target, int port) {
		return leaves(policies, source, target, port) && enters(policies, source, target, port);
	}

	private static boolean leaves(List<NetworkPolicy> policies, Peer source, Peer target, int port) {
		List<NetworkPolicy> own = of(policies, source, "Egress");
		return own.isEmpty() || own.stream()
			.flatMap((policy) -> policy.getSpec().getEgress().stream())
			.anyMatch((rule) -> has(rule.getPorts(), port) && has(rule.getTo(), target));
	}

	private static boolean enters(List<NetworkPolicy> policies, Peer source, Peer target, int port) {
		List<NetworkPolicy> own = of(policies, target, "Ingress");
		return own.isEmpty() || own.stream()
			.flatMap((policy) -> policy.getSpec().getIngress().stream())
			.anyMatch((rule) -> has(rule.getPorts(), port) && has(rule.getFrom(), source));
	}

	/** The policies of the release's namespace that select a pod. */
	private static List<NetworkPolicy> of(List<NetworkPolicy> policies, Peer pod, String type) {
		return policies.stream()
			.filter((policy) -> pod.namespace.equals("mail") && selects(policy.getSpec().getPodSelector(), pod.labels)
					&& policy.getSpec().getPolicyTypes().contains(type))
			.toList();
	}

	private static boolean has(List<NetworkPolicyPort> ports, int port) {
		return ports.isEmpty() || ports.stream().anyMatch((one) -> one.getPort().getIntVal() == port);
	}

	/** Blocks of addresses are outside the cluster; these peers are pods. */
	private static boolean has(List<NetworkPolicyPeer> peers, Peer pod) {
		return peers.isEmpty()
				|| peers.stream()
					.anyMatch((one) -> one.getIpBlock() == null
							&& ((one.getNamespaceSelector() == null) ? pod.namespace.equals("mail")
									: selects(one.getNamespaceSelector(),
											Map.of("kubernetes.io/metadata.name", pod.namespace)))
							&& (one.getPodSelector() == null || selects(one.getPodSelector(), pod.labels)));
	}

	private static boolean selects(LabelSelector selector, Map<String, String> labels) {
		assertThat(selector.getMatchExpressions()).isEmpty();
		return selector.getMatchLabels() == null || labels.entrySet().containsAll(selector.getMatchLabels().entrySet());
	}

	/** A pod of the cluster. */
	private record Peer(String namespace, Map<String, String> labels) {
	}

}
