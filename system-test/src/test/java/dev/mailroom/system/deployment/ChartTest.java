package dev.mailroom.system.deployment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.gatewayapi.v1.Gateway;
import io.fabric8.kubernetes.api.model.gatewayapi.v1.HTTPHeaderMatch;
import io.fabric8.kubernetes.api.model.gatewayapi.v1.HTTPRoute;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * The chart rendered by Helm with several sets of values: every object is parsed by a
 * typed model that refuses unknown fields, and ports, probes, settings and mounts are
 * compared with the apps' configuration.
 */
class ChartTest {

	private static final Path ROOT = Path.of("..");

	private static final Map<String, Class<? extends HasMetadata>> MODELS = Map.ofEntries(
			Map.entry("ConfigMap", ConfigMap.class), Map.entry("ServiceAccount", ServiceAccount.class),
			Map.entry("Service", Service.class), Map.entry("Pod", Pod.class), Map.entry("Secret", Secret.class),
			Map.entry("Deployment", Deployment.class), Map.entry("Job", Job.class),
			Map.entry("HorizontalPodAutoscaler", HorizontalPodAutoscaler.class), Map.entry("Ingress", Ingress.class),
			Map.entry("NetworkPolicy", NetworkPolicy.class), Map.entry("HTTPRoute", HTTPRoute.class),
			Map.entry("PodDisruptionBudget", PodDisruptionBudget.class));

	/** Changes of rendered objects of operators, each with the error expected. */
	private static final List<Mistake> MISTAKES = List.of(
			new Mistake("ServiceMonitor", "matchLabels:", "matchLabel:", "\"matchLabel\"' does not exist"),
			new Mistake("ServiceMonitor", "interval: 15s", "interval: 15", "Type 'number' is not assignable"),
			new Mistake("ServiceMonitor", "interval: 15s", "interval: 15 s", "interval must match pattern"),
			new Mistake("PrometheusRule", "expr:", "expression:", "\"expression\"' does not exist"),
			new Mistake("PrometheusRule", "labels: {app.", "label: {app.", "\"label\"' does not exist"),
			new Mistake("ExternalSecret", "extract:", "extracts:", "\"extracts\"' does not exist"),
			new Mistake("ExternalSecret", "external-secrets.io/v1", "external-secrets.io/v2", "Cannot find module"),
			new Mistake("ScaledObject", "minReplicaCount:", "minReplicas:", "\"minReplicas\"' does not exist"),
			new Mistake("ScaledObject", "maxReplicaCount: ", "maxReplicaCount: m", "maxReplicaCount must be integer"),
			new Mistake("ScaledObject", "threshold: '", "threshold: !!int '", "Type 'number' is not assignable"),
			new Mistake("TriggerAuthentication", "parameter:", "param:", "\"param\"' does not exist"),
			new Mistake("KafkaNodePool", "strimzi.io/v1", "strimzi.io/v1beta2", "There is no"),
			new Mistake("Kafka", "metadataVersion:", "metadatasVersion:", "must NOT have additional properties"),
			new Mistake("KafkaUser", "type: simple", "type: simply", "must be equal to one of the allowed values"),
			new Mistake("Cluster", "isWALArchiver:", "isWalArchiver:", "must NOT have additional properties"),
			new Mistake("ObjectStore", "14d", "two weeks", "must match pattern"),
			new Mistake("ScheduledBackup", "method: plugin", "method: plug", "must be equal to one of"), new Mistake(
					"SecurityPolicy", "recomputeRoute:", "recomputesRoute:", "must NOT have additional properties"));

	private static final Path CELLS = Path.of("../examples/cells/gateway.yaml");

	/** Objects of operators that an installation may use. */
	private static final List<String> EXAMPLES = List.of("cloudnativepg.yaml", "strimzi.yaml");

	private static final Pattern VARIABLE = Pattern.compile("\\$\\{(MAILROOM_[A-Z0-9_]+)(?::([^}]*))?}");

	private static final String MINIMAL = Chart.values("minimal");

	private static final String PRODUCTION = Chart.values("production");

	@TempDir
	Path directory;

	@ParameterizedTest
	@MethodSource(Chart.SET_NAMES)
	void theChartHasNoWarningsAndItsObjectsAreValid(String set) throws IOException {
		Chart chart = Chart.with(this.directory, Chart.values(set));
		assertThat(chart.lint()).isEmpty();
		Set<String> names = new TreeSet<>();
		for (Map<String, Object> object : chart.objects()) {
			String kind = object.get("kind").toString();
			if (!OperatorModels.include(object)) {
				HasMetadata typed = Chart.typed(object, MODELS.get(kind));
				assertThat(typed.getApiVersion()).isEqualTo(object.get("apiVersion"));
			}
			Map<String, Object> metadata = part(object, "metadata");
			if (!metadata.get("name").equals("mailroom-notes")) {
				assertThat(part(metadata, "labels")).containsEntry("app.kubernetes.io/name", "mailroom")
					.containsEntry("app.kubernetes.io/instance", "mailroom")
					.containsEntry("helm.sh/chart", "mailroom-0.1.0")
					.containsKeys("app.kubernetes.io/component", "app.kubernetes.io/version");
			}
			assertThat(names.add(kind + " " + metadata.get("name"))).isTrue();
		}
	}

	@Test
	void objectsOfOperatorsAreValidAndThoseWithMistakesAreRefused() throws Exception {
		List<Map<String, Object>> rendered = new ArrayList<>();
		for (String set : Chart.sets()) {
			rendered.addAll(Chart.with(this.directory, Chart.values(set)).objects());
		}
		for (String example : EXAMPLES) {
			rendered.addAll(Chart.parse(Files.readString(Chart.SOURCE.resolve("examples").resolve(example))));
		}
		rendered.addAll(Chart.parse(Files.readString(CELLS)));
		rendered.removeIf((object) -> !OperatorModels.include(object));
		assertThat(rendered.stream().map((object) -> object.get("kind")))
			.containsAll(MISTAKES.stream().map(Mistake::kind).toList());
		List<Map<String, Object>> objects = new ArrayList<>(rendered);
		MISTAKES.forEach((mistake) -> objects.add(mistake.in(rendered)));
		List<List<String>> errors = OperatorModels.errors(this.directory, objects);
		for (int index = 0; index < rendered.size(); index++) {
			assertThat(errors.get(index)).as(rendered.get(index).toString()).isEmpty();
		}
		for (int index = 0; index < MISTAKES.size(); index++) {
			Mistake mistake = MISTAKES.get(index);
			assertThat(errors.get(rendered.size() + index)).as(mistake.toString())
				.anySatisfy((error) -> assertThat(error).contains(mistake.error));
		}
	}

	@Test
	void theGatewayOfCellsIsValidAndSendsKeysTokensAndConsolesToTheirCells() throws IOException {
		List<Map<String, Object>> objects = Chart.parse(Files.readString(CELLS));
		assertThat(Chart.typed(objects.getFirst(), Gateway.class).getSpec().getListeners()).hasSize(1);
		Map<String, String> services = new TreeMap<>();
		typed(objects, HTTPRoute.class).flatMap((route) -> route.getSpec().getRules().stream())
			.forEach((rule) -> rule.getMatches()
				.forEach((match) -> services.put(
						match.getHeaders()
							.stream()
							.map(HTTPHeaderMatch::getValue)
							.collect(Collectors.joining(" ", match.getPath().getValue() + " ", "")),
						rule.getBackendRefs().getFirst().getName())));
		String rest = "A".repeat(12) + "_" + "A".repeat(49);
		for (String cell : List.of("eu1", "us1")) {
			assertThat(services.entrySet())
				.filteredOn((entry) -> Pattern.matches(entry.getKey(), "/ Bearer ek_" + cell + rest))
				.extracting(Map.Entry::getValue)
				.containsExactly("mailroom-" + cell + "-api");
			assertThat(services).containsEntry("/ Bearer eyJ.* " + cell, "mailroom-" + cell + "-api")
				.containsEntry("/cells/" + cell + "/graphql ", "mailroom-" + cell + "-admin");
		}
	}

	@ParameterizedTest
	@MethodSource(Chart.SET_NAMES)
	void podsAreRestricted(String set) throws IOException {
		for (PodSpec pod : pods(set)) {
			assertThat(pod.getSecurityContext().getRunAsNonRoot()).isTrue();
			assertThat(pod.getSecurityContext().getRunAsUser()).isEqualTo(set.equals("openshift") ? null : 10001L);
			assertThat(pod.getSecurityContext().getSeccompProfile().getType()).isEqualTo("RuntimeDefault");
			assertThat(pod.getAutomountServiceAccountToken()).isFalse();
			for (Container container : pod.getContainers()) {
				assertThat(container.getSecurityContext().getReadOnlyRootFilesystem()).isTrue();
				assertThat(container.getSecurityContext().getAllowPrivilegeEscalation()).isFalse();
				assertThat(container.getSecurityContext().getCapabilities().getDrop()).containsExactly("ALL");
				assertThat(container.getResources().getLimits()).containsKey("memory");
				Set<String> volumes = pod.getVolumes()
					.stream()
					.map((volume) -> volume.getName())
					.collect(Collectors.toSet());
				assertThat(container.getVolumeMounts().stream().map(VolumeMount::getName)).isSubsetOf(volumes);
			}
		}
	}

	@ParameterizedTest
	@MethodSource(Chart.SET_NAMES)
	void servicesAndProbesUsePortsOnWhichTheAppsListen(String set) throws IOException {
		List<Map<String, Object>> objects = Chart.with(this.directory, Chart.values(set)).objects();
		for (Deployment deployment : typed(objects, Deployment.class).toList()) {
			Container container = deployment.getSpec().getTemplate().getSpec().getContainers().getFirst();
			Map<String, Integer> ports = container.getPorts()
				.stream()
				.collect(Collectors.toMap(ContainerPort::getName, ContainerPort::getContainerPort));
			Map<String, String> settings = container.getEnv()
				.stream()
				.filter((variable) -> variable.getValue() != null)
				.collect(Collectors.toMap(EnvVar::getName, EnvVar::getValue));
			settings.putAll(settings(objects, deployment));
			ports.forEach((name, port) -> {
				String variable = "MAILROOM_" + (name.equals("http") ? container.getName().toUpperCase(Locale.ROOT)
						: name.toUpperCase(Locale.ROOT)) + "_PORT";
				assertThat(settings).containsEntry(variable, port.toString());
			});
			assertThat(container.getStartupProbe().getHttpGet().getPath()).isEqualTo("/actuator/health/liveness");
			assertThat(container.getLivenessProbe().getHttpGet().getPath()).isEqualTo("/actuator/health/liveness");
			assertThat(container.getReadinessProbe().getHttpGet().getPath()).isEqualTo("/actuator/health/readiness");
			for (Service service : typed(objects, Service.class).toList()) {
				if (deployment.getSpec()
					.getTemplate()
					.getMetadata()
					.getLabels()
					.entrySet()
					.containsAll(service.getSpec().getSelector().entrySet())) {
					assertThat(service.getSpec()
						.getPorts()
						.stream()
						.map(ServicePort::getTargetPort)
						.map((port) -> port.getStrVal())).isSubsetOf(ports.keySet());
				}
			}
		}
	}

	@ParameterizedTest
	@MethodSource(Chart.SET_NAMES)
	void podsAreSpreadRestartedByANewConfigurationAndMountTheFilesThatTheyRead(String set) throws IOException {
		for (Deployment deployment : typed(Chart.with(this.directory, Chart.values(set)).objects(), Deployment.class)
			.toList()) {
			assertThat(deployment.getSpec().getTemplate().getMetadata().getAnnotations())
				.containsKey("checksum/config");
			PodSpec pod = deployment.getSpec().getTemplate().getSpec();
			assertThat(pod.getTopologySpreadConstraints())
				.extracting((spread) -> spread.getLabelSelector().getMatchLabels())
				.hasSize(2)
				.containsOnly(deployment.getSpec().getSelector().getMatchLabels());
			assertThat(pod.getTopologySpreadConstraints())
				.allSatisfy((spread) -> assertThat(spread.getMatchLabelKeys()).containsExactly("pod-template-hash"));
			Container container = pod.getContainers().getFirst();
			assertThat(container.getEnv().stream().map(EnvVar::getValue).filter((value) -> value != null))
				.filteredOn((value) -> value.contains("/etc/mailroom/"))
				.allSatisfy((file) -> assertThat(container.getVolumeMounts()).map(VolumeMount::getMountPath)
					.anySatisfy((path) -> assertThat(file).contains(path + "/")));
		}
	}

	@Test
	void triggersOfScalingHaveTheMetadataOfTheirScalers() throws IOException {
		Map<String, Object> scaling = Chart.with(this.directory, PRODUCTION)
			.objects()
			.stream()
			.filter((object) -> object.get("kind").equals("ScaledObject"))
			.findFirst()
			.orElseThrow();
		assertThat((List<?>) part(scaling, "spec").get("triggers")).hasSize(2).allSatisfy((trigger) -> {
			Map<?, ?> fields = (Map<?, ?>) trigger;
			Set<String> known = fields.get("type").equals("kafka")
					? Set.of("bootstrapServers", "consumerGroup", "topic", "lagThreshold", "tls", "sasl")
					: Set.of("serverAddress", "query", "threshold");
			assertThat(((Map<?, ?>) fields.get("metadata")).keySet()).isEqualTo(known);
		});
	}

	@ParameterizedTest
	@MethodSource(Chart.SET_NAMES)
	void everyVariableOfAPodIsASettingOfItsAppOrOfALibrary(String set) throws IOException {
		List<Map<String, Object>> objects = Chart.with(this.directory, Chart.values(set)).objects();
		for (Deployment deployment : typed(objects, Deployment.class).toList()) {
			Container container = deployment.getSpec().getTemplate().getSpec().getContainers().getFirst();
			String yaml = yaml(appOf(container.getName()));
			List<String> names = new ArrayList<>(container.getEnv().stream().map(EnvVar::getName).toList());
			names.addAll(settings(objects, deployment).keySet());
			// Settings of all apps, and what the set of values adds.
			names.removeAll(part(new Yaml().load(Chart.values(set)), "config", Map.of()).keySet());
			names.removeAll(List.of("MAILROOM_PUBLIC_URL", "MAILROOM_APP_URL", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS",
					"ALL", "E"));
			assertThat(names).filteredOn((name) -> name.startsWith("MAILROOM_"))
				.allSatisfy((name) -> assertThat(yaml).contains("${" + name));
			assertThat(names).filteredOn((name) -> !name.startsWith("MAILROOM_"))
				.allSatisfy((name) -> assertThat(name).matches("(SPRING_KAFKA_|KAFKA_).*"));
		}
	}

	@ParameterizedTest
	@MethodSource(Chart.SET_NAMES)
	void everySecretThatAnAppReadsIsAVariableOfItsPod(String set) throws IOException {
		List<Container> apps = typed(Chart.with(this.directory, Chart.values(set)).objects(), Deployment.class)
			.map((deployment) -> deployment.getSpec().getTemplate().getSpec().getContainers().getFirst())
			.toList();
		Set<String> secrets = apps.stream()
			.flatMap((app) -> app.getEnv().stream())
			.filter((variable) -> variable.getValueFrom() != null && variable.getValueFrom().getSecretKeyRef() != null)
			.map(EnvVar::getName)
			.collect(Collectors.toSet());
		assertThat(secrets).contains("MAILROOM_MASTER_KEY", "MAILROOM_S3_SECRET_KEY");
		for (Container app : apps) {
			String yaml = yaml(appOf(app.getName()));
			assertThat(app.getEnv().stream().map(EnvVar::getName)).as(app.getName())
				.containsAll(secrets.stream().filter((name) -> yaml.contains("${" + name)).toList());
		}
	}

	@ParameterizedTest
	@MethodSource(Chart.SET_NAMES)
	void theGracePeriodExceedsTheDrain(String set) throws IOException {
		List<Map<String, Object>> objects = Chart.with(this.directory, Chart.values(set)).objects();
		for (Deployment deployment : typed(objects, Deployment.class).toList()) {
			PodSpec pod = deployment.getSpec().getTemplate().getSpec();
			Container container = pod.getContainers().getFirst();
			long preStop = container.getLifecycle().getPreStop().getSleep().getSeconds();
			Duration drain = container.getName().equals("worker") ? drain(objects) : Duration.ofSeconds(30);
			assertThat(pod.getTerminationGracePeriodSeconds()).isGreaterThan(preStop + drain.toSeconds());
		}
	}

	/** The settings of an app in its ConfigMap. */
	private static Map<String, String> settings(List<Map<String, Object>> objects, Deployment app) {
		return typed(objects, ConfigMap.class)
			.filter((map) -> map.getMetadata().getName().equals(app.getMetadata().getName()))
			.findFirst()
			.orElseThrow()
			.getData();
	}

	private static Duration drain(List<Map<String, Object>> objects) throws IOException {
		String standard = VARIABLE.matcher(yaml("delivery-worker"))
			.results()
			.filter((match) -> match.group(1).equals("MAILROOM_DRAIN_TIMEOUT"))
			.map((match) -> match.group(2))
			.findFirst()
			.orElseThrow();
		String set = typed(objects, ConfigMap.class).map((map) -> map.getData().get("MAILROOM_DRAIN_TIMEOUT"))
			.filter((value) -> value != null)
			.findFirst()
			.orElse(standard);
		return Duration.parse("PT" + set.toUpperCase(Locale.ROOT));
	}

	@Test
	void theSchemaHasEverySettingThatIsNeitherASecretNorSetByTheChart() throws IOException {
		Map<String, Object> schema = new Yaml().load(Files.readString(Chart.SOURCE.resolve("values.schema.json")));
		Set<String> allowed = part(part(part(schema, "properties"), "config"), "properties").keySet();
		Set<String> settings = new TreeSet<>();
		for (String app : List.of("platform-api", "tenant-admin", "delivery-worker")) {
			VARIABLE.matcher(yaml(app)).results().map((match) -> match.group(1)).forEach(settings::add);
		}
		String templates = texts(Chart.SOURCE.resolve("templates"));
		settings.removeIf((name) -> !allowed.contains(name) && (templates.contains(name) || name.endsWith("_FILE")));
		settings.removeAll(Set.of("MAILROOM_BIND_ADDRESS", "MAILROOM_MASTER_KEY_FILE"));
		assertThat(allowed).containsExactlyInAnyOrderElementsOf(settings);
	}

	@Test
	void migrationsRunBeforeAllElseWithTheOwnersCredentials() throws IOException {
		List<Map<String, Object>> hooks = Chart.with(this.directory, PRODUCTION)
			.objects()
			.stream()
			.filter((object) -> part(part(object, "metadata"), "labels").get("app.kubernetes.io/component")
				.equals("migration"))
			.toList();
		assertThat(hooks).extracting((object) -> object.get("kind"))
			.containsExactlyInAnyOrder("ServiceAccount", "ConfigMap", "NetworkPolicy", "Job")
			.allSatisfy((kind) -> assertThat(hooks)
				.allSatisfy((object) -> assertThat(part(part(object, "metadata"), "annotations"))
					.containsEntry(Chart.HOOK, "pre-install,pre-upgrade")));
		PodSpec pod = typed(hooks, Job.class).findFirst().orElseThrow().getSpec().getTemplate().getSpec();
		assertThat(pod.getServiceAccountName()).isEqualTo("mailroom-migration");
		assertThat(pod.getContainers().getFirst().getEnv()).extracting(EnvVar::getName)
			.contains("MAILROOM_DB_USER", "MAILROOM_DB_OWNER_USER", "MAILROOM_DB_OWNER_PASSWORD");
		assertThat(pod.getContainers().getFirst().getEnvFrom().getFirst().getConfigMapRef().getName())
			.isEqualTo("mailroom-migration");
	}

	@Test
	void rulesAndDashboardsAreThoseOfTheRepositoryWithAddressesOfTheirRunbooks() throws IOException {
		List<Map<String, Object>> objects = Chart.with(this.directory, PRODUCTION).objects();
		String rules = objects.stream()
			.filter((object) -> object.get("kind").equals("PrometheusRule"))
			.map(Object::toString)
			.collect(Collectors.joining());
		assertThat(rules)
			.contains("alert=QueueStalled", "{{ $value | humanizeDuration }}",
					"runbook_url=https://git.example.com/mailroom/observability/runbooks/QueueStalled.md",
					"dashboard_url=https://grafana.example.com/d/mailroom-delivery?viewPanel=1&",
					"deployment=~\"mailroom-(api|admin|worker)\"")
			.doesNotContain("runbook_url=observability", "dashboard_url=d/");
		List<String> dashboards = typed(objects, ConfigMap.class)
			.filter((map) -> map.getMetadata().getName().contains("dashboard"))
			.flatMap((map) -> map.getData().values().stream())
			.toList();
		assertThat(dashboards).hasSize(6)
			.noneMatch((dashboard) -> dashboard.contains("localhost"))
			.anyMatch((dashboard) -> dashboard.contains("\"query\": \"https://"));
	}

	@Test
	void alertsHaveNoLinksWithoutAddressesAndThoseOfTheDatabaseReadItsNamespace() throws IOException {
		String values = PRODUCTION.replaceAll(", runbookUrl: .*}", "}")
			.replace("metrics:", "metrics:\n  databaseNamespace: databases");
		List<Map<String, Object>> rules = Chart.with(this.directory, values)
			.objects()
			.stream()
			.filter((object) -> object.get("kind").equals("PrometheusRule"))
			.toList();
		assertThat(rules).isNotEmpty()
			.allSatisfy((rule) -> assertThat(rule.toString()).doesNotContain("runbook_url", "dashboard_url"))
			.allSatisfy((rule) -> assertThat(rule.toString())
				.contains(part(rule, "metadata").get("name").equals("mailroom-database") ? "namespace=\"databases\""
						: "namespace=\"mail\""));
	}

	@Test
	void severitiesOfAlertsHaveTheNamesOfTheValues() throws IOException {
		assertThat(severities(PRODUCTION)).containsExactlyInAnyOrder("page", "ticket", "info");
		assertThat(severities(PRODUCTION.replace("prometheusRule: {",
				"prometheusRule: {severities: {page: critical, ticket: page}, ")))
			.containsExactlyInAnyOrder("critical", "page", "info");
	}

	private Set<String> severities(String values) throws IOException {
		return Chart.with(this.directory, values)
			.objects()
			.stream()
			.filter((object) -> object.get("kind").equals("PrometheusRule"))
			.flatMap((object) -> Pattern.compile("severity=([^,}]+)").matcher(object.toString()).results())
			.map((match) -> match.group(1))
			.collect(Collectors.toSet());
	}

	@Test
	void helmWaitsForLongerThanTheMigrationAndTheStartOfAllPodsMayTake() throws IOException {
		List<Map<String, Object>> objects = Chart.with(this.directory, PRODUCTION).objects();
		long migration = typed(objects, Job.class).findFirst().orElseThrow().getSpec().getActiveDeadlineSeconds();
		int pods = typed(objects, HorizontalPodAutoscaler.class).findFirst().orElseThrow().getSpec().getMaxReplicas();
		Probe startup = pods("production").getFirst().getContainers().getFirst().getStartupProbe();
		long start = (long) pods * startup.getPeriodSeconds() * startup.getFailureThreshold();
		assertThat(Pattern.compile("(?:--timeout|`timeout:) (\\d+)m")
			.matcher(Files.readString(ROOT.resolve("docs/operations.md")))
			.results()
			.map((match) -> Duration.ofMinutes(Long.parseLong(match.group(1))).toSeconds())).hasSize(3)
			.allSatisfy((timeout) -> assertThat(timeout).isGreaterThan(migration).isGreaterThan(start));
	}

	@Test
	void theChartContainsItsFilesAndDoesNotLinkThem() throws IOException {
		try (Stream<Path> files = Files.walk(Chart.SOURCE)) {
			assertThat(files).as("archives of sources may leave links out").noneMatch(Files::isSymbolicLink);
		}
		assertThat(Chart.with(this.directory, PRODUCTION).objects()).extracting((object) -> object.get("kind"))
			.filteredOn((kind) -> kind.equals("PrometheusRule"))
			.hasSize(7);
	}

	@Test
	void rulesAndScalingReadTheSamplesOfTheirReleaseOnly() throws IOException {
		List<Map<String, Object>> objects = new ArrayList<>(
				Chart.with(this.directory, PRODUCTION.replace("metrics:", "metrics:\n  cluster: west")).objects());
		objects.removeIf((object) -> !Set.of("PrometheusRule", "ScaledObject").contains(object.get("kind")));
		assertThat(objects).hasSize(8)
			.allSatisfy((object) -> assertThat(new Yaml().dump(object)).contains("namespace=\"mail\", cluster=\"west\"")
				.doesNotContain("namespace=~"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "api: {replica: 3}", "config: {MAILROOM_PUBLIC_ULR: x}",
			"kafka: {bootstrapServers: kafka}", "database: {url: 'mysql://db/mailroom'}",
			"secrets: {existingSecret: ''}", "config: {MAILROOM_MASTER_KEY: secret}",
			"kafka: {security: {protocol: SASL_SSL}}", "kafka: {topic: {replicas: 3}}",
			"image: {digest: {api: latest}}", "worker: {terminationGracePeriodSeconds: 90}",
			"config: {MAILROOM_DRAIN_TIMEOUT: 2m}", "database: {ownerSecret: ''}",
			"config: {MAILROOM_BODY_RETENTION: 30}", "config: {MAILROOM_BODY_RETENTION: '30'}",
			"config: {MAILROOM_RETRY_DELAYS: '30,60'}", "config: {MAILROOM_SCAN_TIMEOUT: 30 s}",
			"{api: {ingress: {enabled: true, host: a.test}}, config: {MAILROOM_PUBLIC_URL: 'https://a.test'}}",
			"{api: {ingress: {enabled: true, host: a.test}}, config: {MAILROOM_TRUSTED_PROXIES: 10.0.0.1}}",
			"{admin: {ingress: {enabled: true, host: a.test}}, config: {MAILROOM_APP_URL: 'http://a.test', MAILROOM_TRUSTED_PROXIES: 10.0.0.1}}",
			"{api: {httpRoute: {enabled: true}}, config: {MAILROOM_PUBLIC_URL: 'https://a.test', MAILROOM_TRUSTED_PROXIES: 10.0.0.1}}",
			"{api: {httpRoute: {enabled: true, parentRefs: [{name: g}]}}, config: {MAILROOM_PUBLIC_URL: 'https://a.test', MAILROOM_TRUSTED_PROXIES: 10.0.0.1}}",
			"{api: {httpRoute: {enabled: true, parentRefs: [{name: g}], hostnames: [a.test]}}, config: {MAILROOM_PUBLIC_URL: 'https://a.test'}}",
			"{admin: {httpRoute: {enabled: true, parentRefs: [{name: g}], hostnames: [a.test]}}, config: {MAILROOM_TRUSTED_PROXIES: 10.0.0.1}}",
			"{api: {ingress: {enabled: true}}, config: {MAILROOM_PUBLIC_URL: 'https://a.test', MAILROOM_TRUSTED_PROXIES: 10.0.0.1}}",
			"worker: {keda: {enabled: true, minReplicas: 0}}", "worker: {keda: {enabled: true, minReplicas: 9}}",
			"api: {hpa: {enabled: true, minReplicas: 11}}", "api: {hpa: {enabled: true, minReplicas: 0}}",
			"secrets: {externalSecrets: {enabled: true, remoteKey: a}}", "serviceAccount: {create: false}",
			"database: {url: 'postgresql://db/mailroom?sslmode=verify-full'}",
			"database: {url: 'postgresql://db/mailroom?sslmode=require', caSecret: ca}",
			"database: {clientSecret: cert}", "database: {caSecret: ca, ownerClientSecret: cert}",
			"pods: {podSecurityContext: {runAsUsr: 1}}", "api: {env: [{nam: A}]}", "api: {tolerationz: []}",
			"worker: {config: {MAILROOM_MX_RAET: 1}}", "worker: {volumeMounts: [{name: a, mountPath: /tmp}]}",
			"config: {MAILROOM_RELAY_CA_FILE: /ca.crt}", "authorities: {smtp: {secret: a}}",
			"smtp: {inbound: {service: {loadBalancerSourceRange: [a]}}}",
			"metrics: {prometheusRule: {severities: {page: ''}}}",
			"metrics: {prometheusRule: {severities: {warning: page}}}" })
	void wrongValuesAreRefused(String wrong) throws IOException {
		Chart chart = Chart.with(this.directory, MINIMAL, wrong);
		assertThatThrownBy(chart::objects).isInstanceOf(IllegalStateException.class)
			.hasMessageMatching(
					"(?s).*(values don't meet the specifications|must exceed|must be written in|must be the https|must have|must not exceed).*");
	}

	@Test
	void theWorkersCreateTheTopicAsTheValuesSay() throws IOException {
		List<Map<String, Object>> objects = Chart.with(this.directory, PRODUCTION).objects();
		assertThat(
				typed(objects, ConfigMap.class).filter((map) -> map.getMetadata().getName().equals("mailroom-worker"))
					.map(ConfigMap::getData))
			.singleElement()
			.satisfies((data) -> assertThat(data).containsEntry("MAILROOM_DISPATCH_PARTITIONS", "12")
				.containsEntry("MAILROOM_DISPATCH_REPLICATION", "3"));
	}

	@Test
	void numbersOfAMillionAndMoreAreWrittenInFull() throws IOException {
		List<Map<String, Object>> objects = Chart.with(this.directory, MINIMAL + """
				config: {MAILROOM_IN_FLIGHT_BYTES: 134217728, MAILROOM_INBOUND_DAILY_BYTES: 5368709120,
				  MAILROOM_TRACES_SAMPLE: 0.25, MAILROOM_RATE_LIMIT_SENDS: 1000000, MAILROOM_AUTO_PAUSE: false}
				""").objects();
		assertThat(
				typed(objects, ConfigMap.class).filter((map) -> map.getMetadata().getName().equals("mailroom-worker"))
					.map(ConfigMap::getData))
			.singleElement()
			.satisfies((data) -> assertThat(data).containsEntry("MAILROOM_IN_FLIGHT_BYTES", "134217728")
				.containsEntry("MAILROOM_INBOUND_DAILY_BYTES", "5368709120")
				.containsEntry("MAILROOM_RATE_LIMIT_SENDS", "1000000")
				.containsEntry("MAILROOM_TRACES_SAMPLE", "0.25")
				.containsEntry("MAILROOM_AUTO_PAUSE", "false"));
	}

	@Test
	void theNotesShowTheFirstRequestAndNameWhatIsMissing() throws IOException {
		assertThat(Chart.with(this.directory, MINIMAL).notes()).contains("port-forward service/mailroom-api 8080",
				"curl $api/auth/register", "no mail can leave the cluster", "helm test has nothing to run",
				"Not set in config: MAILROOM_PLATFORM_DOMAIN, MAILROOM_MX_HOST, MAILROOM_SPF_INCLUDE, MAILROOM_OPERATOR_EMAIL",
				"MAILROOM_PUBLIC_URL is http://localhost:8080", "MAILROOM_APP_URL is http://localhost:8081",
				"MAILROOM_TRUSTED_PROXIES is not set");
		assertThat(Chart.with(this.directory, PRODUCTION).notes())
			.contains("api=https://api.example.com/api", "curl $api/auth/register",
					"Not set in config: MAILROOM_PLATFORM_DOMAIN")
			.doesNotContain("no mail can leave", "nothing to run", "localhost", "TRUSTED_PROXIES", "networkPolicy");
		assertThat(Chart
			.with(this.directory,
					PRODUCTION.replaceAll("(?s)networkPolicy:.*(?=test:)", "networkPolicy: {enabled: true}\n"))
			.notes()).contains("networkPolicy.ingressFrom is empty", "networkPolicy.metricsFrom is empty");
	}

	@Test
	void theNotesShowTheSumOfConnectionsAndWarnAboveTheServers() throws IOException {
		assertThat(Chart.with(this.directory, MINIMAL, "database: {maxConnections: 93}").notes())
			.contains("open up to 93 connections")
			.doesNotContain("database.maxConnections is");
		assertThat(Chart
			.with(this.directory, MINIMAL, "database: {maxConnections: 97}",
					"config: {MAILROOM_DB_CONNECTIONS: 8}\nadmin: {enabled: false}\n"
							+ "api: {hpa: {enabled: true}, config: {MAILROOM_DB_LIST_CONNECTIONS: 4}}")
			.notes()).contains("open up to 213 connections", "database.maxConnections is 97");
	}

	@Test
	void theDocumentedValuesNeedNoFurtherSettingAndLeadNowhereToLocalhost() throws IOException {
		List<String> blocks = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL)
			.matcher(Files.readString(ROOT.resolve("docs/operations.md")))
			.results()
			.map((block) -> block.group(1))
			.toList();
		assertThat(blocks).singleElement().satisfies((values) -> {
			Chart chart = Chart.with(this.directory, values);
			assertThat(chart.lint()).isEmpty();
			assertThat(chart.objects()).isNotEmpty()
				.allSatisfy((object) -> assertThat(object.toString()).doesNotContain("localhost"));
			assertThat(chart.notes()).contains("api=https://api.example.com/api")
				.doesNotContain("localhost", "Not set", "not set", "is empty", "no mail can leave");
			for (String example : EXAMPLES) {
				Map<String, Object> documented = new Yaml().load(values);
				belonging(example).forEach((key, part) -> assertThat(documented).containsEntry(key, part));
			}
		});
	}

	/** The values in the comment at the top of an example. */
	private static Map<String, Object> belonging(String example) throws IOException {
		return new Yaml().load(Files.readString(Chart.SOURCE.resolve("examples").resolve(example))
			.lines()
			.filter((line) -> line.startsWith("#   "))
			.map((line) -> line.substring(4))
			.collect(Collectors.joining("\n")));
	}

	@ParameterizedTest
	@FieldSource("EXAMPLES")
	void theExamplesAreValidAndTheirValuesRender(String example) throws IOException {
		String text = Files.readString(Chart.SOURCE.resolve("examples").resolve(example));
		for (Map<String, Object> object : Chart.parse(text)) {
			assertThat(object).containsKeys("apiVersion", "kind", "metadata");
			if (object.get("kind").equals("Secret")) {
				assertThat(object).as("a password that works as it is").doesNotContainKey("stringData");
				assertThat(((Map<?, ?>) object.get("data")).get("password").toString()).contains("<", ">");
			}
			if (MODELS.containsKey(object.get("kind"))) {
				Chart.typed(object, MODELS.get(object.get("kind")));
			}
		}
		Map<String, Object> merged = new Yaml().load(MINIMAL);
		merged.putAll(belonging(example));
		assertThat(Chart.with(this.directory, new Yaml().dump(merged)).objects()).isNotEmpty();
	}

	private List<PodSpec> pods(String set) throws IOException {
		List<Map<String, Object>> objects = Chart.with(this.directory, Chart.values(set)).objects();
		List<PodSpec> pods = new ArrayList<>();
		typed(objects, Deployment.class).forEach((one) -> pods.add(one.getSpec().getTemplate().getSpec()));
		typed(objects, Job.class).forEach((one) -> pods.add(one.getSpec().getTemplate().getSpec()));
		typed(objects, Pod.class).forEach((one) -> pods.add(one.getSpec()));
		return pods;
	}

	private static <T extends HasMetadata> Stream<T> typed(List<Map<String, Object>> objects, Class<T> type) {
		return objects.stream()
			.filter((object) -> object.get("kind").equals(type.getSimpleName()))
			.map((object) -> Chart.typed(object, type));
	}

	private static String appOf(String component) {
		return Map.of("api", "platform-api", "admin", "tenant-admin", "worker", "delivery-worker").get(component);
	}

	private static String yaml(String app) throws IOException {
		return Files.readString(ROOT.resolve(app).resolve("src/main/resources").resolve(app + ".yaml"));
	}

	private static String texts(Path directory) throws IOException {
		StringBuilder texts = new StringBuilder();
		try (Stream<Path> files = Files.walk(directory)) {
			for (Path file : files.filter(Files::isRegularFile).toList()) {
				texts.append(Files.readString(file));
			}
		}
		return texts.toString();
	}

	private static Map<String, Object> part(Map<String, Object> map, String key) {
		return part(map, key, null);
	}

	@SuppressWarnings("unchecked")
	private static Map<String, Object> part(Map<String, Object> map, String key, Map<String, Object> absent) {
		return (Map<String, Object>) map.getOrDefault(key, absent);
	}

	/**
	 * A change of the YAML text of an object.
	 *
	 * @param kind kind of the object
	 * @param right text that is replaced
	 * @param wrong replacement
	 * @param error part of the error expected
	 */
	private record Mistake(String kind, String right, String wrong, String error) {

		Map<String, Object> in(List<Map<String, Object>> objects) {
			String yaml = objects.stream()
				.filter((object) -> object.get("kind").equals(this.kind))
				.map((object) -> new Yaml().dump(object))
				.filter((text) -> text.contains(this.right))
				.findFirst()
				.orElseThrow();
			return new Yaml().load(yaml.replace(this.right, this.wrong));
		}

	}

}
