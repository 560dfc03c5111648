package dev.mailroom.system.deployment;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Types and schemas of the objects of operators: from npm those of the Prometheus
 * operator, KEDA and the External Secrets operator, stored ones of Strimzi, CloudNativePG
 * and Envoy Gateway.
 */
final class OperatorModels {

	/** API groups of the operators. */
	private static final Set<String> GROUPS = Set.of("monitoring.coreos.com", "keda.sh", "external-secrets.io",
			"kafka.strimzi.io", "postgresql.cnpg.io", "barmancloud.cnpg.io", "gateway.envoyproxy.io");

	private static final Path PROGRAM = Path.of("src/test/clients/manifests.mjs");

	private OperatorModels() {
	}

	/** Whether an object belongs to one of the operators. */
	static boolean include(Map<String, Object> object) {
		String version = object.get("apiVersion").toString();
		return GROUPS.stream().anyMatch((group) -> version.startsWith(group + "/"));
	}

	/**
	 * Checks objects in one process, because the start of the compiler takes seconds.
	 * @return the errors of each object: unknown fields, wrong types, values that do not
	 * match a pattern
	 */
	static List<List<String>> errors(Path directory, List<Map<String, Object>> objects)
			throws IOException, InterruptedException {
		JsonMapper json = new JsonMapper();
		Path file = Files.writeString(directory.resolve("objects.json"), json.writeValueAsString(objects));
		Process node = new ProcessBuilder("node", PROGRAM.toString(), file.toString())
			.redirectError(ProcessBuilder.Redirect.INHERIT)
			.start();
		String output = new String(node.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(node.waitFor()).isZero();
		return json.readValue(output, new TypeReference<>() {
		});
	}

}
