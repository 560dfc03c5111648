package dev.mailroom.system.deployment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The objects, containers, ports and options that commands of kubectl and helm in the
 * documents name, looked up in the rendered chart of a release with the default name, and
 * in its examples. {@code CommandsTest} runs those of kubectl, where it is installed.
 */
class RunbookCommandsTest {

	private static final Path ROOT = Path.of("..");

	private static final Pattern COMMAND = Pattern.compile("\\b(?:kubectl|helm) (?!cnpg )[^`\\n]+");

	/** A kind and a name, and the port to which a tunnel leads. */
	private static final Pattern OBJECT = Pattern
		.compile("\\b(deployment|service|secret|job)[/ ](mailroom[\\w-]*)(?: (\\d+)\\b)?");

	private static final Pattern LABEL = Pattern.compile("-l ([\\w./-]+)=([\\w-]+)");

	private static final Pattern NAMESPACE = Pattern.compile(" (?:-n|--namespace)[ =](\\S+)");

	private static final Pattern CONTAINER = Pattern.compile(" (?:-c |--target=)([\\w-]+)");

	private static final Pattern RELEASE = Pattern
		.compile("helm (?:install|upgrade|rollback|history|status|test|get \\w+) ([^- ]\\S*)((?: \\S+)*)");

	/** Suffixes of the name of a release. */
	private static final Pattern RELEASE_OPTIONS = Pattern
		.compile("(?: \\./helm)?(?: -f values\\.yaml)?(?: --timeout \\d+m)?");

	/** What operators create and the chart does not: pods, Services, secrets. */
	private static final Set<String> FOREIGN = Set.of("service mailroom-db-rw", "secret mailroom",
			"secret mailroom-worker", "secret mailroom-cluster-ca-cert");

	/** Containers of the operators' pods. */
	private static final Set<String> FOREIGN_CONTAINERS = Set.of("postgres", "kafka");

	@TempDir
	Path directory;

	@Test
	void everyObjectInACommandIsOneOfTheChart() throws IOException {
		Chart chart = Chart.with(this.directory, Chart.values("production"));
		Map<String, Set<Integer>> ports = new HashMap<>();
		FOREIGN.forEach((name) -> ports.put(name, Set.of(5432)));
		Set<String> containers = new HashSet<>(FOREIGN_CONTAINERS);
		Set<Map.Entry<String, String>> labels = new HashSet<>();
		for (Deployment one : chart.objects(Deployment.class)) {
			Set<Integer> open = new HashSet<>();
			ports.put("deployment " + one.getMetadata().getName(), open);
			one.getSpec().getTemplate().getSpec().getContainers().forEach((container) -> {
				containers.add(container.getName());
				container.getPorts().stream().map(ContainerPort::getContainerPort).forEach(open::add);
			});
			labels.addAll(one.getSpec().getTemplate().getMetadata().getLabels().entrySet());
		}
		Stream.of(Job.class, ConfigMap.class)
			.flatMap((type) -> chart.objects(type).stream())
			.forEach((object) -> labels.addAll(object.getMetadata().getLabels().entrySet()));
		assertThat(commands()).hasSizeGreaterThan(30).allSatisfy((command) -> {
			assertThat(command).as("a variable or an example in place of a word").doesNotContain("…", " NAME", "=N");
			for (Matcher match = OBJECT.matcher(command); match.find();) {
				assertThat(ports).containsKey(match.group(1) + " " + match.group(2));
				if (match.group(3) != null) {
					assertThat(ports.get(match.group(1) + " " + match.group(2)))
						.contains(Integer.valueOf(match.group(3)));
				}
			}
			for (Matcher match = LABEL.matcher(command); match.find();) {
				assertThat(labels).contains(Map.entry(match.group(1), match.group(2)));
			}
			NAMESPACE.matcher(command)
				.results()
				.forEach((match) -> assertThat(match.group(1)).isIn("\"$NAMESPACE\"", "mail"));
			CONTAINER.matcher(command).results().forEach((match) -> assertThat(containers).contains(match.group(1)));
			RELEASE.matcher(command).results().forEach((match) -> {
				assertThat(match.group(1)).isEqualTo("mailroom");
				assertThat(match.group(2)).matches(RELEASE_OPTIONS);
			});
		});
	}

	@Test
	void aReleaseIsTakenBackByHelmWhichKnowsItsConfiguration() throws IOException {
		List<String> commands = commands();
		assertThat(commands).anyMatch((command) -> command.startsWith("helm rollback "));
		assertThat(commands).noneMatch((command) -> command.matches("kubectl rollout undo [a-z].*"));
	}

	/** Commands of the documents, with the options on further lines. */
	private static List<String> commands() throws IOException {
		try (Stream<Path> docs = Files.list(ROOT.resolve("docs"));
				Stream<Path> runbooks = Files.list(ROOT.resolve("observability/runbooks"))) {
			return Stream.concat(docs, runbooks)
				.filter((file) -> file.toString().endsWith(".md"))
				.flatMap((file) -> COMMAND.matcher(read(file)).results().map((match) -> match.group()))
				.toList();
		}
	}

	private static String read(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
