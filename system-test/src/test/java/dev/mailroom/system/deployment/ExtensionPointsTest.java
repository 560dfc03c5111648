package dev.mailroom.system.deployment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.mailroom.database.DatabaseUrl;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSecurityContext;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.gatewayapi.v1.HTTPRoute;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Changes of the objects that an operator can make without changing the chart: settings
 * of pods, names, certificates, routes, scaling and further objects.
 */
class ExtensionPointsTest {

	private static final String MINIMAL = Chart.values("minimal");

	private static final String SETTINGS = """
			{labels: {x: "1"}, annotations: {x: "2"}, podLabels: {x: "3"}, podAnnotations: {x: "4"},
			  env: [{name: X, valueFrom: {fieldRef: {fieldPath: metadata.name}}}],
			  volumes: [{name: x, emptyDir: {}}], volumeMounts: [{name: x, mountPath: /x}],
			  nodeSelector: {x: "5"}, tolerations: [{key: x, operator: Exists}], priorityClassName: x,
			  affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: []}}},
			  podSecurityContext: {fsGroup: 7}, containerSecurityContext: {runAsUser: 8}}
			""";

	@TempDir
	Path directory;

	@ParameterizedTest
	@ValueSource(strings = { "api", "admin", "worker", "migration" })
	void settingsOfAnAppReachItsPodsAndNoOthers(String app) throws IOException {
		String values = app.equals("migration") ? "database: {migrate: " + SETTINGS + "}" : app + ": " + SETTINGS;
		workloads(Chart.with(this.directory, MINIMAL, values))
			.forEach((name, workload) -> assertThat(settings(workload).values()).as(name + ": " + settings(workload))
				.containsOnly(name.equals(app)));
	}

	@Test
	void settingsOfAllPodsReachThoseOfTheAppsAndOfTheMigration() throws IOException {
		Map<String, Workload> workloads = workloads(Chart.with(this.directory, MINIMAL, "pods: " + SETTINGS));
		assertThat(workloads).containsOnlyKeys("api", "admin", "worker", "migration");
		workloads.forEach((name, workload) -> assertThat(settings(workload).values()).as(name).containsOnly(true));
	}

	@Test
	void settingsOfAnAppAreMergedWithThoseOfAllPods() throws IOException {
		Map<String, Workload> workloads = workloads(Chart.with(this.directory, MINIMAL, "pods: " + SETTINGS, """
				worker: {podLabels: {z: "6"}, nodeSelector: {x: null}, tolerations: [{key: z, operator: Exists}],
				  priorityClassName: z, env: [{name: Z, value: "7"}], podSecurityContext: {runAsGroup: null}}
				"""));
		PodTemplateSpec worker = workloads.get("worker").template;
		assertThat(worker.getMetadata().getLabels()).containsEntry("x", "3").containsEntry("z", "6");
		assertThat(worker.getSpec().getNodeSelector()).isEmpty();
		assertThat(worker.getSpec().getTolerations()).extracting(Toleration::getKey).containsExactly("x", "z");
		assertThat(worker.getSpec().getPriorityClassName()).isEqualTo("z");
		assertThat(variables(worker)).containsKeys("X", "Z");
		assertThat(worker.getSpec().getSecurityContext()).returns(10001L, PodSecurityContext::getRunAsUser)
			.returns(null, PodSecurityContext::getRunAsGroup);
		PodTemplateSpec api = workloads.get("api").template;
		assertThat(api.getSpec().getPriorityClassName()).isEqualTo("x");
		assertThat(api.getMetadata().getLabels()).doesNotContainKey("z");
		assertThat(api.getSpec().getSecurityContext().getRunAsGroup()).isEqualTo(10001L);
	}

	@Test
	void thePlatformMayChooseTheUserOfEveryPod() throws IOException {
		Chart chart = Chart.with(this.directory, Chart.values("openshift"));
		List<PodSecurityContext> contexts = Stream
			.concat(workloads(chart).values().stream().map((workload) -> workload.template.getSpec()),
					chart.objects(Pod.class).stream().map(Pod::getSpec))
			.map((pod) -> pod.getSecurityContext())
			.toList();
		assertThat(contexts).hasSize(5).allSatisfy((context) -> {
			assertThat(context.getRunAsUser()).isNull();
			assertThat(context.getRunAsGroup()).isNull();
			assertThat(context.getFsGroup()).isNull();
			assertThat(context.getRunAsNonRoot()).isTrue();
		});
	}

	@Test
	void aVariableReplacesThatOfTheChart() throws IOException {
		Workload api = workloads(Chart.with(this.directory, Chart.values("per-app-config"))).get("api");
		assertThat(api.template.getSpec().getContainers().getFirst().getEnv())
			.filteredOn((variable) -> variable.getName().equals("MAILROOM_DB_PASSWORD"))
			.singleElement()
			.satisfies((variable) -> assertThat(variable.getValueFrom().getSecretKeyRef().getName())
				.isEqualTo("vault-db"));
	}

	@Test
	void aSettingDiffersByAppAndAChangeRestartsThePodsOfThatAppOnly() throws IOException {
		Chart chart = Chart.with(this.directory, Chart.values("per-app-config"));
		assertThat(config(chart, "api")).containsEntry("MAILROOM_DB_CONNECTIONS", "20")
			.doesNotContainKeys("MAILROOM_MX_RATE", "MAILROOM_DISPATCH_PARTITIONS");
		assertThat(config(chart, "admin")).containsEntry("MAILROOM_DB_CONNECTIONS", "12");
		assertThat(config(chart, "worker")).containsEntry("MAILROOM_DB_CONNECTIONS", "60")
			.containsEntry("MAILROOM_MX_RATE", "5")
			.containsEntry("MAILROOM_LOG_FORMAT", "logstash");
		Map<String, String> before = checksums(chart);
		Map<String, String> after = checksums(Chart.with(this.directory, Chart.values("per-app-config"),
				"{worker: {config: {MAILROOM_MX_RATE: 6}}, kafka: {topic: {partitions: 9}}}"));
		assertThat(after.get("worker")).isNotEqualTo(before.get("worker"));
		assertThat(after.get("api")).isEqualTo(before.get("api"));
		assertThat(after.get("admin")).isEqualTo(before.get("admin"));
		assertThat(checksums(Chart.with(this.directory, Chart.values("per-app-config"),
				"config: {MAILROOM_PUBLIC_URL: 'https://b.test'}")))
			.allSatisfy((app, checksum) -> assertThat(checksum).isNotEqualTo(before.get(app)));
	}

	@Test
	void theThreadsOfAnAppFollowItsValuesAndNotTheNode() throws IOException {
		Map<String, Workload> workloads = workloads(
				Chart.with(this.directory, MINIMAL, "worker: {processors: 8, resources: {requests: {cpu: 8}}}"));
		assertThat(variables(workloads.get("worker").template).get("JDK_JAVA_OPTIONS").getValue())
			.isEqualTo("-XX:ActiveProcessorCount=8");
		assertThat(variables(workloads.get("api").template).get("JDK_JAVA_OPTIONS").getValue())
			.isEqualTo("-XX:ActiveProcessorCount=2");
	}

	@Test
	void namesLabelsAndKeysOfSecretsCanBeChosen() throws IOException {
		Chart chart = Chart.with(this.directory, Chart.values("names"),
				"{nameOverride: post, fullnameOverride: post-eu}");
		List<Map<String, Object>> objects = chart.objects();
		assertThat(objects).extracting((object) -> ((Map<?, ?>) object.get("metadata")).get("name").toString())
			.allMatch((name) -> name.startsWith("post-eu") || name.equals("mailroom-notes"));
		Map<String, Workload> workloads = workloads(chart);
		workloads.values()
			.forEach((workload) -> assertThat(List.of(workload.metadata, workload.template.getMetadata()))
				.allSatisfy((metadata) -> assertThat(metadata.getLabels()).containsEntry("team", "mail")
					.containsEntry("app.kubernetes.io/name", "post")
					.containsEntry("app.kubernetes.io/part-of", "mailroom")));
		Map<String, EnvVar> worker = variables(workloads.get("worker").template);
		assertThat(key(worker, "MAILROOM_MASTER_KEY")).isEqualTo("master-key");
		assertThat(key(worker, "MAILROOM_S3_ACCESS_KEY")).isEqualTo("MAILROOM_S3_ACCESS_KEY");
		assertThat(key(worker, "MAILROOM_DB_PASSWORD")).isEqualTo("pass");
		assertThat(key(worker, "KAFKA_USERNAME")).isEqualTo("user");
		assertThat(worker.get("SPRING_KAFKA_SSL_TRUST_STORE_LOCATION").getValue()).endsWith("/root.pem");
		assertThat(key(variables(workloads.get("migration").template), "MAILROOM_DB_OWNER_USER")).isEqualTo("user");
		assertThat(chart.objects(Pod.class)).singleElement()
			.satisfies((pod) -> assertThat(pod.getSpec().getContainers().getFirst().getEnv())
				.extracting((variable) -> (variable.getValueFrom() != null)
						? variable.getValueFrom().getSecretKeyRef().getKey() : "")
				.contains("key", "sender"));
		assertThat(objects.stream().filter((object) -> object.get("kind").equals("TriggerAuthentication")))
			.singleElement()
			.asString()
			.contains("key=user", "key=pass", "key=root.pem");
	}

	@Test
	void anExistingServiceAccountReplacesBothOfTheChart() throws IOException {
		Chart chart = Chart.with(this.directory, MINIMAL, "serviceAccount: {create: false, name: mail-sender}");
		assertThat(chart.objects(ServiceAccount.class)).isEmpty();
		assertThat(workloads(chart).values())
			.extracting((workload) -> workload.template.getSpec().getServiceAccountName())
			.hasSize(4)
			.containsOnly("mail-sender");
	}

	@Test
	void furtherObjectsMayHaveTemplateExpressions() throws IOException {
		assertThat(Chart
			.with(this.directory, Chart.values("names"),
					"extraObjects: ['kind: Secret\n\nmetadata: {name: \"{{ .Release.Name }}-text\"}']")
			.objects())
			.anySatisfy((object) -> assertThat(object.toString())
				.isEqualTo("{kind=Secret, metadata={name=mailroom-text}}"));
		assertThat(Chart.with(this.directory, Chart.values("names")).objects(ConfigMap.class))
			.filteredOn((map) -> map.getMetadata().getName().equals("mailroom-notes"))
			.singleElement()
			.satisfies((map) -> assertThat(map.getData()).containsEntry("url", "http://localhost:8080"));
	}

	@Test
	void everyFileThatAnAppReadsHasAMount() throws IOException {
		Chart chart = Chart.with(this.directory, Chart.values("client-certificates"));
		Map<String, String> apps = Map.of("api", "platform-api", "admin", "tenant-admin", "worker", "delivery-worker");
		for (Map.Entry<String, String> app : apps.entrySet()) {
			Path yaml = Path.of("..", app.getValue(), "src/main/resources", app.getValue() + ".yaml");
			PodTemplateSpec pod = workloads(chart).get(app.getKey()).template;
			List<String> files = Pattern.compile("\\$\\{(MAILROOM_[A-Z0-9_]+_FILE)")
				.matcher(Files.readString(yaml))
				.results()
				.map((MatchResult match) -> match.group(1))
				.filter((name) -> !name.equals("MAILROOM_MASTER_KEY_FILE"))
				.toList();
			assertThat(files).hasSize(app.getKey().equals("worker") ? 9 : 1)
				.allSatisfy((name) -> assertMounted(pod, variables(pod).get(name).getValue()));
		}
	}

	@Test
	void everyConnectionToTheDatabaseVerifiesItsServer() throws IOException {
		Chart chart = Chart.with(this.directory, MINIMAL, "database: {caSecret: db-ca}");
		workloads(chart).forEach((name, workload) -> {
			DatabaseUrl url = DatabaseUrl.parse(config(chart, name).get("MAILROOM_DB_URL"));
			assertThat(url.parameters()).containsEntry("sslmode", "verify-full");
			assertMounted(workload.template, url.parameters().get("sslrootcert"));
		});
		Chart named = Chart.with(this.directory, Chart.values("names"));
		assertThat(DatabaseUrl.parse(config(named, "worker").get("MAILROOM_DB_URL")).parameters())
			.containsEntry("sslmode", "verify-ca")
			.containsEntry("sslrootcert", "/etc/mailroom/database/root.pem");
	}

	@Test
	void levelsOfLogsAndHeadersForTheCollectorAreVariablesOfThePods() throws IOException {
		Map<String, EnvVar> pod = variables(workloads(Chart.with(this.directory, MINIMAL, """
				pods: {env: [{name: LOGGING_LEVEL_DEV_MAILROOM, value: debug},
				  {name: MANAGEMENT_OPENTELEMETRY_TRACING_EXPORT_OTLP_HEADERS_AUTHORIZATION,
				    valueFrom: {secretKeyRef: {name: collector, key: authorization}}}]}
				""")).get("worker").template);
		Map<String, Object> variables = new HashMap<>();
		pod.forEach((name, variable) -> variables.put(name,
				(variable.getValue() != null) ? variable.getValue() : "from a secret"));
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources()
			.addFirst(new SystemEnvironmentPropertySource("test-systemEnvironment", variables));
		Binder binder = new Binder(ConfigurationPropertySources.get(environment));
		Bindable<Map<String, String>> map = Bindable.mapOf(String.class, String.class);
		assertThat(binder.bind("logging.level", map).get()).containsEntry("dev.mailroom", "debug");
		assertThat(binder.bind("management.opentelemetry.tracing.export.otlp.headers", map).get())
			.containsEntry("authorization", "from a secret");
	}

	@Test
	void everyConnectionToTheDatabaseHasTheCertificateOfItsRole() throws IOException {
		Chart chart = Chart.with(this.directory, Chart.values("client-certificates"));
		workloads(chart).forEach((name, workload) -> {
			DatabaseUrl url = DatabaseUrl.parse(config(chart, name).get("MAILROOM_DB_URL"));
			assertThat(url.parameters()).containsEntry("sslmode", "verify-full");
			assertMounted(workload.template, url.parameters().get("sslcert"));
			assertMounted(workload.template, url.parameters().get("sslkey"));
			assertThat(workload.template.getSpec().getVolumes())
				.filteredOn((volume) -> volume.getName().equals("database-client"))
				.singleElement()
				.satisfies((volume) -> {
					assertThat(volume.getSecret().getSecretName())
						.isEqualTo(name.equals("migration") ? "db-owner-cert" : "db-app-cert");
					assertThat(volume.getSecret().getDefaultMode()).as("of a key of root").isEqualTo(0440);
				});
			assertThat(variables(workload.template)
				.get(name.equals("migration") ? "MAILROOM_DB_OWNER_PASSWORD" : "MAILROOM_DB_PASSWORD")
				.getValueFrom()
				.getSecretKeyRef()
				.getOptional()).isTrue();
		});
	}

	@Test
	void theClientOfTheBrokersHasItsCertificateAndTheirAuthority() throws IOException {
		PodTemplateSpec pod = workloads(Chart.with(this.directory, Chart.values("client-certificates")))
			.get("worker").template;
		Map<String, Object> variables = new HashMap<>();
		variables(pod).forEach((name, variable) -> variables.put(name, (variable.getValue() != null)
				? variable.getValue() : variable.getValueFrom().getSecretKeyRef().getKey()));
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources()
			.addFirst(new SystemEnvironmentPropertySource("test-systemEnvironment", variables));
		KafkaProperties properties = new Binder(ConfigurationPropertySources.get(environment))
			.bind("spring.kafka", KafkaProperties.class)
			.get();
		assertThat(properties.getSecurity().getProtocol()).isEqualTo("SSL");
		assertThat(properties.getSsl().getKeyStoreType()).isEqualTo("PEM");
		assertThat(properties.getSsl().getKeyStoreCertificateChain()).isEqualTo("user.crt");
		assertThat(properties.getSsl().getKeyStoreKey()).isEqualTo("user.key");
		assertThat(properties.getSsl().getTrustStoreType()).isEqualTo("PEM");
		assertMounted(pod, variables.get("SPRING_KAFKA_SSL_TRUST_STORE_LOCATION").toString().replace("file:", ""));
	}

	@ParameterizedTest
	@ValueSource(strings = { "kafka-ssl", "client-certificates", "names" })
	void scalingKnowsTheBrokersAsTheWorkersDo(String set) throws IOException {
		Map<String, Map<String, Object>> objects = Chart.with(this.directory, Chart.values(set))
			.objects()
			.stream()
			.filter((object) -> object.get("apiVersion").toString().startsWith("keda.sh/"))
			.collect(Collectors.toMap((object) -> object.get("kind").toString(), (object) -> object));
		assertThat(objects.get("ScaledObject").toString()).contains("tls=enable", "authenticationRef={name=");
		assertThat(objects.get("TriggerAuthentication").toString()).contains("parameter=ca, name=kafka-ca");
		assertThat(objects.get("TriggerAuthentication").toString().contains("parameter=key"))
			.isEqualTo(set.equals("client-certificates"));
		assertThat(objects.get("TriggerAuthentication").toString().contains("parameter=username"))
			.isEqualTo(set.equals("names"));
	}

	@Test
	void theSpeedOfScalingCanBeSet() throws IOException {
		Chart chart = Chart.with(this.directory, MINIMAL,
				"{api: {hpa: {enabled: true, behavior: {scaleDown: {stabilizationWindowSeconds: 60}}}}, worker: {keda: {enabled: true}}}");
		assertThat(chart.objects(HorizontalPodAutoscaler.class)).singleElement()
			.satisfies((
					scaler) -> assertThat(scaler.getSpec().getBehavior().getScaleDown().getStabilizationWindowSeconds())
						.isEqualTo(60));
		assertThat(chart.objects().stream().filter((object) -> object.get("kind").equals("ScaledObject")))
			.singleElement()
			.asString()
			.contains("behavior={scaleDown={stabilizationWindowSeconds=300}}");
	}

	@Test
	void bothWebAppsHaveRoutesOfTheGateway() throws IOException {
		assertThat(Chart.with(this.directory, Chart.values("gateway")).objects(HTTPRoute.class))
			.extracting((route) -> route.getMetadata().getName() + " " + route.getSpec().getHostnames() + " "
					+ route.getSpec().getRules().getFirst().getBackendRefs().getFirst().getPort())
			.containsExactlyInAnyOrder("mailroom-api [api.example.com] 8080", "mailroom-admin [app.example.com] 8081");
	}

	@Test
	void listenersAreReachedAsTheValuesOfTheirServicesSay() throws IOException {
		Map<String, Service> services = Chart.with(this.directory, Chart.values("placement"))
			.objects(Service.class)
			.stream()
			.collect(Collectors.toMap((service) -> service.getMetadata().getName(), (service) -> service));
		assertThat(services.get("mailroom-inbound").getSpec()).satisfies((service) -> {
			assertThat(service.getLoadBalancerClass()).isEqualTo("example.com/mail");
			assertThat(service.getLoadBalancerSourceRanges()).containsExactly("192.0.2.0/24");
			assertThat(service.getPorts().getFirst().getNodePort()).isEqualTo(30025);
		});
		assertThat(services.get("mailroom-inbound").getMetadata().getAnnotations()).containsEntry("a", "b");
		assertThat(services.get("mailroom-submission").getSpec()).satisfies((service) -> {
			assertThat(service.getType()).isEqualTo("NodePort");
			assertThat(service.getPorts().getFirst().getNodePort()).isEqualTo(30587);
			assertThat(service.getLoadBalancerClass()).as("of load balancers only").isNull();
		});
		assertThat(Chart.with(this.directory, Chart.values("ipv6")).objects(Service.class))
			.filteredOn((service) -> service.getMetadata().getName().equals("mailroom-inbound"))
			.singleElement()
			.satisfies((service) -> assertThat(service.getSpec().getIpFamilyPolicy()).isEqualTo("PreferDualStack"));
	}

	@Test
	void theVersionOfTheChartIsAValidLabelAndRestartsNoPods() throws IOException {
		Chart chart = Chart.with(this.directory, MINIMAL);
		Path file = this.directory.resolve("Chart.yaml");
		Files.writeString(file, Files.readString(file).replace("\nversion: 0.1.0", "\nversion: 0.1.0+sha.1"));
		Map<String, Workload> workloads = workloads(chart);
		workloads.values().forEach((workload) -> {
			assertThat(workload.metadata.getLabels()).containsEntry("helm.sh/chart", "mailroom-0.1.0_sha.1");
			assertThat(workload.template.getMetadata().getLabels()).doesNotContainKey("helm.sh/chart");
		});
	}

	private static void assertMounted(PodTemplateSpec pod, String file) {
		assertThat(pod.getSpec().getContainers().getFirst().getVolumeMounts()).extracting(VolumeMount::getMountPath)
			.contains(Path.of(file).getParent().toString());
	}

	private static String key(Map<String, EnvVar> variables, String name) {
		return variables.get(name).getValueFrom().getSecretKeyRef().getKey();
	}

	private static Map<String, EnvVar> variables(PodTemplateSpec pod) {
		return pod.getSpec()
			.getContainers()
			.getFirst()
			.getEnv()
			.stream()
			.collect(Collectors.toMap(EnvVar::getName, (variable) -> variable));
	}

	private static Map<String, String> config(Chart chart, String app) {
		return chart.objects(ConfigMap.class)
			.stream()
			.filter((map) -> map.getMetadata().getName().endsWith("-" + app))
			.findFirst()
			.orElseThrow()
			.getData();
	}

	private static Map<String, String> checksums(Chart chart) {
		return chart.objects(Deployment.class)
			.stream()
			.collect(Collectors.toMap(ExtensionPointsTest::component,
					(app) -> app.getSpec().getTemplate().getMetadata().getAnnotations().get("checksum/config")));
	}

	/** The Deployments and the Job by their component. */
	private static Map<String, Workload> workloads(Chart chart) {
		Map<String, Workload> workloads = new TreeMap<>();
		chart.objects(Deployment.class)
			.forEach((one) -> workloads.put(component(one),
					new Workload(one.getMetadata(), one.getSpec().getTemplate())));
		chart.objects(Job.class)
			.forEach((one) -> workloads.put(component(one),
					new Workload(one.getMetadata(), one.getSpec().getTemplate())));
		return workloads;
	}

	private static String component(HasMetadata object) {
		return object.getMetadata().getLabels().get("app.kubernetes.io/component");
	}

	/** The {@link #SETTINGS} that a workload has. */
	private static Map<String, Boolean> settings(Workload workload) {
		ObjectMeta pod = workload.template.getMetadata();
		Container container = workload.template.getSpec().getContainers().getFirst();
		Map<String, Boolean> settings = new LinkedHashMap<>();
		settings.put("labels", has(workload.metadata.getLabels(), "1"));
		settings.put("annotations", has(workload.metadata.getAnnotations(), "2"));
		settings.put("podLabels", has(pod.getLabels(), "3"));
		settings.put("podAnnotations", has(pod.getAnnotations(), "4"));
		settings.put("env", variables(workload.template).containsKey("X"));
		settings.put("volumes",
				workload.template.getSpec().getVolumes().stream().anyMatch((volume) -> volume.getName().equals("x")));
		settings.put("volumeMounts",
				container.getVolumeMounts().stream().anyMatch((mount) -> mount.getMountPath().equals("/x")));
		settings.put("nodeSelector", has(workload.template.getSpec().getNodeSelector(), "5"));
		settings.put("tolerations",
				workload.template.getSpec().getTolerations().stream().anyMatch((one) -> one.getKey().equals("x")));
		settings.put("priorityClassName", "x".equals(workload.template.getSpec().getPriorityClassName()));
		settings.put("affinity", workload.template.getSpec().getAffinity() != null);
		settings.put("podSecurityContext", workload.template.getSpec().getSecurityContext().getFsGroup() == 7);
		settings.put("containerSecurityContext", container.getSecurityContext().getRunAsUser() != null);
		return settings;
	}

	private static boolean has(Map<String, String> map, String value) {
		return map != null && value.equals(map.get("x"));
	}

	/** A Deployment or Job. */
	private record Workload(ObjectMeta metadata, PodTemplateSpec template) {
	}

}
