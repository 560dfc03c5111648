package dev.mailroom.system.deployment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The objects that commands of kubectl and helm in the runbooks name, looked up in the
 * rendered chart of a release with the default name. The commands are not run: that needs
 * the API server of a cluster.
 */
class RunbookCommandsTest {

	private static final Path RUNBOOKS = Path.of("../observability/runbooks");

	private static final Pattern COMMAND = Pattern.compile("\\b(?:kubectl|helm) [^`\\n]+");

	private static final Pattern DEPLOYMENT = Pattern.compile("deployment/([a-z-]+)(?: (\\d+))?");

	private static final Pattern LABEL = Pattern.compile("-l ([a-z./]+)=([a-z-]+)");

	private static final Pattern RELEASE = Pattern.compile("helm (?:rollback|history|status|get values) ([a-z-]+)");

	@TempDir
	Path directory;

	@Test
	void everyObjectInACommandIsOneOfTheChart() throws IOException {
		Chart chart = Chart.with(this.directory, Chart.values("production"));
		Map<String, Set<Integer>> deployments = new HashMap<>();
		Set<Map.Entry<String, String>> labels = new HashSet<>();
		for (Deployment one : chart.objects(Deployment.class)) {
			deployments.put(one.getMetadata().getName(), new HashSet<>());
			one.getSpec()
				.getTemplate()
				.getSpec()
				.getContainers()
				.forEach((container) -> container.getPorts()
					.stream()
					.map(ContainerPort::getContainerPort)
					.forEach(deployments.get(one.getMetadata().getName())::add));
			labels.addAll(one.getSpec().getTemplate().getMetadata().getLabels().entrySet());
		}
		chart.objects(Job.class)
			.stream()
			.map(HasMetadata::getMetadata)
			.forEach((job) -> labels.addAll(job.getLabels().entrySet()));
		List<String> commands = commands();
		assertThat(commands).hasSizeGreaterThan(10).allSatisfy((command) -> {
			for (Matcher match = DEPLOYMENT.matcher(command); match.find();) {
				assertThat(deployments).containsKey(match.group(1));
				if (match.group(2) != null) {
					assertThat(deployments.get(match.group(1))).contains(Integer.valueOf(match.group(2)));
				}
			}
			for (Matcher match = LABEL.matcher(command); match.find();) {
				assertThat(labels).contains(Map.entry(match.group(1), match.group(2)));
			}
			for (Matcher match = RELEASE.matcher(command); match.find();) {
				assertThat(match.group(1)).isEqualTo("mailroom");
			}
		});
	}

	@Test
	void aReleaseIsTakenBackByHelmWhichKnowsItsConfiguration() throws IOException {
		List<String> commands = commands();
		assertThat(commands).anyMatch((command) -> command.startsWith("helm rollback "));
		assertThat(commands).noneMatch((command) -> command.matches("kubectl rollout undo [a-z].*"));
	}

	private static List<String> commands() throws IOException {
		try (Stream<Path> files = Files.list(RUNBOOKS)) {
			return files.filter((file) -> file.toString().toLowerCase(Locale.ROOT).endsWith(".md"))
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
