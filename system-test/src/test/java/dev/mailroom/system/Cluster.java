package dev.mailroom.system;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.mailroom.system.deployment.Chart;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import reactor.netty.http.server.WebsocketServerSpec;
import reactor.netty.http.websocket.WebsocketInbound;
import reactor.netty.http.websocket.WebsocketOutbound;
import tools.jackson.databind.json.JsonMapper;

/**
 * The part of the API of Kubernetes that kubectl uses, with the objects of the rendered
 * chart and of its examples, and the pods that controllers and operators would create. A
 * command in a pod is run on this machine, and the log of each pod is the same text. Also
 * has the metrics of a probe that succeeds.
 */
final class Cluster implements AutoCloseable {

	static final String NAMESPACE = "mail";

	/** Pods of the operators of PostgreSQL and Kafka, and their containers. */
	private static final Map<String, String> PODS = Map.of("mailroom-db-1", "postgres", "mailroom-brokers-0", "kafka");

	private static final Pattern OBJECTS = Pattern
		.compile("/apis?((?:/[a-z0-9.-]+)?/v[a-z0-9]+)/namespaces/(\\w+)/(\\w+)(?:/([\\w.-]+))?(?:/(\\w+))?");

	private static final String ACCESS = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";

	/** First byte of a frame, which names the stream that it ends. */
	private static final byte END_OF_STREAM = (byte) 255;

	/** The name in a secret that kubectl sends as Protocol Buffers. */
	private static final Pattern SECRET = Pattern.compile("Secret\\x12.{1,2}\\n.{1,2}\\n.([a-z-]+)", Pattern.DOTALL);

	private final Path directory;

	private final Map<String, String> environment;

	private final String log;

	/** Objects by their plural, with the version of the API. */
	private final Map<String, List<Map<String, Object>>> objects = new TreeMap<>();

	private final DisposableServer server;

	/**
	 * Starts the server.
	 * @param directory for the rendered chart, and the working directory of commands
	 * @param environment of commands in a pod
	 * @param log the log of each pod
	 */
	Cluster(Path directory, Map<String, String> environment, String log) throws IOException {
		this.directory = directory;
		this.environment = environment;
		this.log = log;
		Chart.with(directory.resolve("chart"), Chart.values("production")).objects().forEach(this::add);
		for (String example : List.of("cloudnativepg", "strimzi")) {
			Chart.parse(Files.readString(Chart.SOURCE.resolve("examples/" + example + ".yaml"))).forEach(this::add);
		}
		for (String kind : List.of("Deployment", "Job")) {
			named(kind).forEach(this::run);
		}
		PODS.forEach((name, container) -> add(
				pod(name, Map.of(), Map.of("containers", List.of(Map.of("name", container, "image", container))))));
		add(object("postgresql.cnpg.io/v1", "Backup", "mailroom-db-20260131020000",
				Map.of("status", Map.of("phase", "completed"))));
		add(object("cert-manager.io/v1", "Certificate", "mx", Map.of("status", Map.of("notAfter", "2026-04-01"))));
		add(object("v1", "Event", "started", Map.of()));
		addSecret("mailroom", Map.of("MAILROOM_MASTER_KEY", "master key", "MAILROOM_OPERATOR_PASSWORD", "a password"));
		addSecret("mailroom-worker", Map.of("sasl.jaas.config", "ScramLoginModule required;"));
		addSecret("mailroom-cluster-ca-cert",
				Map.of("ca.crt", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"));
		this.server = HttpServer.create().host("127.0.0.1").port(0).handle(this::respond).bindNow();
	}

	private void addSecret(String name, Map<String, String> values) {
		Map<String, String> data = new HashMap<>();
		values.forEach((key, value) -> data.put(key,
				Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8))));
		add(object("v1", "Secret", name, Map.of("data", data)));
	}

	String address() {
		return "127.0.0.1:" + this.server.port();
	}

	/** Configuration file of kubectl. */
	Path configuration() throws IOException {
		return Files.writeString(this.directory.resolve("kubeconfig"), """
				{"apiVersion": "v1", "kind": "Config", "current-context": "test",
				 "clusters": [{"name": "test", "cluster": {"server": "http://%s"}}],
				 "contexts": [{"name": "test", "context": {"cluster": "test", "user": "test", "namespace": "%s"}}],
				 "users": [{"name": "test", "user": {}}]}""".formatted(address(), NAMESPACE));
	}

	/** Creates a pod of a template, as a controller does. */
	@SuppressWarnings("unchecked")
	private void run(Map<String, Object> owner) {
		Map<String, Object> spec = (Map<String, Object>) owner.get("spec");
		Map<String, Object> template = (Map<String, Object>) spec.get("template");
		add(pod(name(owner) + "-0", labels(template), (Map<String, Object>) template.get("spec")));
		owner.put("status", Map.of("observedGeneration", 1, "replicas", 1, "updatedReplicas", 1, "readyReplicas", 1,
				"availableReplicas", 1));
		spec.put("replicas", 1);
	}

	@SuppressWarnings("unchecked")
	private static Map<String, Object> pod(String name, Map<String, String> labels, Map<String, Object> spec) {
		List<Map<String, Object>> containers = (List<Map<String, Object>>) spec.get("containers");
		Map<String, Object> pod = object("v1", "Pod", name,
				Map.of("spec", spec, "status",
						Map.of("phase", "Running", "containerStatuses",
								containers.stream()
									.map((container) -> Map.of("name", container.get("name"), "ready", true,
											"restartCount", 1, "state", Map.of("running", Map.of()), "lastState",
											Map.of("terminated", Map.of("reason", "OOMKilled", "exitCode", 137))))
									.toList())));
		((Map<String, Object>) pod.get("metadata")).put("labels", labels);
		return pod;
	}

	private static Map<String, Object> object(String version, String kind, String name, Map<String, Object> content) {
		Map<String, Object> object = new LinkedHashMap<>(content);
		object.put("apiVersion", version);
		object.put("kind", kind);
		object.put("metadata", new HashMap<>(Map.of("name", name)));
		return object;
	}

	@SuppressWarnings("unchecked")
	private void add(Map<String, Object> object) {
		Map<String, Object> metadata = (Map<String, Object>) object.get("metadata");
		metadata.putAll(Map.of("namespace", NAMESPACE, "generation", 1, "uid", name(object), "creationTimestamp",
				"2026-01-31T02:00:00Z", "resourceVersion", "1"));
		this.objects.computeIfAbsent(plural(object.get("kind").toString()), (_) -> new ArrayList<>()).add(object);
	}

	private List<Map<String, Object>> named(String kind) {
		return List.copyOf(this.objects.get(plural(kind)));
	}

	private static String plural(String kind) {
		String name = kind.toLowerCase(Locale.ROOT);
		return name.endsWith("y") ? name.substring(0, name.length() - 1) + "ies"
				: name + (name.endsWith("s") ? "es" : "s");
	}

	@SuppressWarnings("unchecked")
	private static String name(Map<String, Object> object) {
		return ((Map<String, Object>) object.get("metadata")).get("name").toString();
	}

	@SuppressWarnings("unchecked")
	private static Map<String, String> labels(Map<String, Object> object) {
		return ((Map<String, Map<String, String>>) object.get("metadata")).getOrDefault("labels", Map.of());
	}

	private Publisher<Void> respond(HttpServerRequest request, HttpServerResponse response) {
		QueryStringDecoder uri = new QueryStringDecoder(request.uri());
		Matcher path = OBJECTS.matcher(uri.path());
		if (uri.path().equals("/metrics")) {
			return response.header("Content-Type", "text/plain")
				.sendString(Mono.just("mailroom_probe_last_success_seconds " + Instant.now().getEpochSecond() + "\n"));
		}
		if (!path.matches()) {
			return request.receive()
				.aggregate()
				.asString(StandardCharsets.ISO_8859_1)
				.defaultIfEmpty("")
				.flatMap((body) -> send(response, uri.path().equals(ACCESS) ? permitted(body) : discovery(uri.path())));
		}
		List<Map<String, Object>> found = this.objects.getOrDefault(path.group(3), List.of())
			.stream()
			.filter((_) -> path.group(2).equals(NAMESPACE))
			.filter((object) -> path.group(1).equals("/" + object.get("apiVersion")))
			.filter((object) -> path.group(4) == null || path.group(4).equals(name(object)))
			.filter((object) -> isSelected(object, uri.parameters()))
			.toList();
		if (request.method().equals(HttpMethod.POST) && path.group(4) == null) {
			return request.receive()
				.aggregate()
				.asString(StandardCharsets.ISO_8859_1)
				.flatMap((body) -> send(response.status(201), created(body)));
		}
		if (path.group(4) != null && found.isEmpty()) {
			return send(response.status(404), Map.of("kind", "Status", "apiVersion", "v1", "status", "Failure",
					"reason", "NotFound", "code", 404, "message", uri.path() + " not found"));
		}
		return switch ((path.group(5) == null) ? "" : path.group(5)) {
			case "log" -> response.sendString(Mono.just(this.log));
			case "exec" -> response.sendWebsocket((in, out) -> execute(uri.parameters(), in, out),
					WebsocketServerSpec.builder().protocols("v5.channel.k8s.io").build());
			case "scale" -> send(response, scale(found.getFirst()));
			default -> uri.parameters().containsKey("watch") ? response.send()
					: send(response, (path.group(4) != null) ? found.getFirst() : list(found, path.group(1)));
		};
	}

	private static boolean isSelected(Map<String, Object> object, Map<String, List<String>> parameters) {
		String field = parameters.getOrDefault("fieldSelector", List.of("")).getFirst();
		return (field.isEmpty() || field.equals("metadata.name=" + name(object)))
				&& Stream.of(parameters.getOrDefault("labelSelector", List.of("")).getFirst().split(",", -1))
					.filter((label) -> !label.isEmpty())
					.map((label) -> label.split("=", 2))
					.allMatch((label) -> label[1].equals(labels(object).get(label[0])));
	}

	private static Map<String, Object> created(String body) {
		Matcher name = SECRET.matcher(body);
		return object("v1", "Secret", name.find() ? name.group(1) : "", Map.of());
	}

	private static Map<String, Object> list(List<Map<String, Object>> found, String version) {
		String kind = found.isEmpty() ? "" : found.getFirst().get("kind").toString();
		return Map.of("kind", kind + "List", "apiVersion", version.substring(1), "metadata",
				Map.of("resourceVersion", "1"), "items", found);
	}

	private static Map<String, Object> scale(Map<String, Object> object) {
		return Map.of("kind", "Scale", "apiVersion", "autoscaling/v1", "metadata", object.get("metadata"), "spec",
				Map.of("replicas", 1), "status", Map.of("replicas", 1));
	}

	/** The answer to a question for a permission: yes if there are such objects. */
	private Map<String, Object> permitted(String body) {
		return Map.of("kind", "SelfSubjectAccessReview", "apiVersion", "authorization.k8s.io/v1", "status",
				Map.of("allowed", this.objects.keySet().stream().anyMatch(body::contains)));
	}

	private Map<String, Object> discovery(String path) {
		Map<String, List<Map<String, Object>>> resources = new TreeMap<>();
		this.objects.forEach((plural, all) -> {
			Map<String, Object> first = all.getFirst();
			List<Map<String, Object>> of = resources.computeIfAbsent(first.get("apiVersion").toString(),
					(_) -> new ArrayList<>());
			for (String sub : List.of("", "/scale")) {
				of.add(Map.of("name", plural + sub, "singularName", "", "namespaced", true, "group",
						sub.isEmpty() ? "" : "autoscaling", "version", sub.isEmpty() ? "" : "v1", "kind",
						sub.isEmpty() ? first.get("kind") : "Scale", "verbs",
						List.of("get", "list", "watch", "create", "update", "patch", "delete")));
			}
		});
		if (path.equals("/api")) {
			return Map.of("kind", "APIVersions", "versions", List.of("v1"));
		}
		if (path.equals("/apis")) {
			return Map.of("kind", "APIGroupList", "apiVersion", "v1", "groups",
					resources.keySet()
						.stream()
						.filter((version) -> version.contains("/"))
						.map((version) -> Map.of("name", version.split("/", 2)[0], "versions",
								List.of(version(version)), "preferredVersion", version(version)))
						.toList());
		}
		String version = path.replaceFirst("/apis?/", "");
		return Map.of("kind", "APIResourceList", "apiVersion", "v1", "groupVersion", version, "resources",
				resources.getOrDefault(version, List.of()));
	}

	private static Map<String, String> version(String version) {
		return Map.of("groupVersion", version, "version", version.split("/", 2)[1]);
	}

	private static Mono<Void> send(HttpServerResponse response, Object body) {
		return response.header("Content-Type", "application/json")
			.sendString(Mono.just(JsonMapper.shared().writeValueAsString(body)))
			.then();
	}

	/** Runs a command with the input that its client sends first. */
	private Publisher<Void> execute(Map<String, List<String>> parameters, WebsocketInbound in, WebsocketOutbound out) {
		// Frames are received to the end, because a receiver that stops closes the
		// connection.
		StringBuilder text = new StringBuilder();
		Sinks.One<String> input = Sinks.one();
		in.receiveFrames().map(Cluster::bytes).subscribe((frame) -> {
			if (frame[0] == 0) {
				text.append(new String(frame, 1, frame.length - 1, StandardCharsets.UTF_8));
			}
			else if (frame[0] == END_OF_STREAM) {
				input.tryEmitValue(text.toString());
			}
		});
		if (!parameters.containsKey("stdin")) {
			input.tryEmitValue("");
		}
		Flux<WebSocketFrame> output = input.asMono()
			.publishOn(Schedulers.boundedElastic())
			.flatMapIterable((typed) -> run(parameters.get("command"), typed));
		return out.sendObject(output).then(out.sendClose(1000, ""));
	}

	private static byte[] bytes(WebSocketFrame frame) {
		ByteBuf content = frame.content();
		byte[] bytes = new byte[content.readableBytes()];
		content.readBytes(bytes);
		return bytes;
	}

	/** Runs a command; its output, errors and result are channels 1, 2 and 3. */
	private List<WebSocketFrame> run(List<String> command, String input) {
		try {
			ProcessBuilder builder = new ProcessBuilder(command).directory(this.directory.toFile());
			builder.environment().putAll(this.environment);
			Process process = builder.redirectInput(Files.writeString(this.directory.resolve("input"), input).toFile())
				.redirectErrorStream(true)
				.start();
			byte[] output = process.getInputStream().readAllBytes();
			int code = process.waitFor();
			String result = (code == 0) ? "{\"metadata\": {}, \"status\": \"Success\"}" : """
					{"metadata": {}, "status": "Failure", "reason": "NonZeroExitCode", "message": "exit code %1$d",
					 "details": {"causes": [{"reason": "ExitCode", "message": "%1$d"}]}}""".formatted(code);
			return IntStream.of(1, 3)
				.mapToObj(
						(channel) -> frame(channel, (channel == 1) ? output : result.getBytes(StandardCharsets.UTF_8)))
				.toList();
		}
		catch (IOException ex) {
			return List.of(frame(3,
					"{\"metadata\": {}, \"status\": \"Failure\", \"message\": \"%s\"}"
						.formatted(ex.getMessage().replace('"', '\''))
						.getBytes(StandardCharsets.UTF_8)));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return List.of();
		}
	}

	private static WebSocketFrame frame(int channel, byte[] content) {
		return new BinaryWebSocketFrame(Unpooled.wrappedBuffer(Unpooled.wrappedBuffer(new byte[] { (byte) channel }),
				Unpooled.wrappedBuffer(content)));
	}

	@Override
	public void close() {
		this.server.disposeNow();
	}

}
