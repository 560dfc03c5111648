package dev.mailroom.system.deployment;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import io.fabric8.kubernetes.api.model.HasMetadata;
import org.yaml.snakeyaml.Yaml;

/**
 * The chart with one set of values. Helm's template command leaves hooks out, and lint
 * reads the default values only: therefore this is a copy of the chart in which hooks are
 * ordinary objects and the values are the defaults.
 */
public final class Chart {

	public static final Path SOURCE = Path.of("../helm");

	/** Source of parameters: the names of the stored sets of values. */
	static final String SET_NAMES = "dev.mailroom.system.deployment.Chart#sets";

	/** Sets of values, and in {@code rendered} what the chart makes of them. */
	static final Path SETS = Path.of("src/test/chart");

	/** Annotation that the hooks have instead of {@code helm.sh/hook}. */
	static final String HOOK = "helm.sh/was-hook";

	private static final String RELEASE = "mailroom";

	private static final String KUBERNETES = "1.31.0";

	/** Refuses unknown fields, which the models otherwise collect. */
	private static final ObjectMapper STRICT = new ObjectMapper()
		.enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
		.setAnnotationIntrospector(new JacksonAnnotationIntrospector() {
			@Override
			public Boolean hasAnySetter(Annotated annotated) {
				return false;
			}
		});

	private final Path directory;

	private Chart(Path directory) {
		this.directory = directory;
	}

	/** Names of the stored sets of values. */
	static List<String> sets() {
		try (Stream<Path> files = Files.list(SETS)) {
			return files.map((file) -> file.getFileName().toString())
				.filter((name) -> name.endsWith(".yaml"))
				.map((name) -> name.substring(0, name.length() - 5))
				.sorted()
				.toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** A stored set of values. */
	public static String values(String set) {
		try {
			return Files.readString(SETS.resolve(set + ".yaml"));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Copies the chart and merges values, written in YAML, into its defaults, one after
	 * another.
	 */
	public static Chart with(Path directory, String... values) throws IOException {
		try (Stream<Path> files = Files.walk(SOURCE)) {
			for (Path file : files.filter(Files::isRegularFile).toList()) {
				Path copy = directory.resolve(SOURCE.relativize(file).toString());
				Files.createDirectories(copy.getParent());
				Files.writeString(copy, Files.readString(file).replace("helm.sh/hook: ", HOOK + ": "));
			}
		}
		Map<String, Object> merged = new Yaml().load(Files.readString(SOURCE.resolve("values.yaml")));
		for (String layer : values) {
			merged = merge(merged, new Yaml().load(layer));
		}
		StringWriter text = new StringWriter();
		new Yaml().dump(merged, text);
		Files.writeString(directory.resolve("values.yaml"), text.toString());
		return new Chart(directory);
	}

	/** Merges maps as Helm does: a null removes a default. */
	@SuppressWarnings("unchecked")
	private static Map<String, Object> merge(Map<String, Object> defaults, Map<String, Object> values) {
		Map<String, Object> merged = new LinkedHashMap<>(defaults);
		values.forEach((key, value) -> {
			if (value == null && defaults.containsKey(key)) {
				merged.remove(key);
			}
			else {
				merged.put(key, (value instanceof Map && merged.get(key) instanceof Map)
						? merge((Map<String, Object>) merged.get(key), (Map<String, Object>) value) : value);
			}
		});
		return merged;
	}

	/** Warnings and errors of helm lint. */
	List<String> lint() {
		LintResult result = new Helm(this.directory).lint().strict().call();
		return result.getMessages().stream().filter((message) -> !message.startsWith("[INFO]")).toList();
	}

	/** The rendered objects. */
	public List<Map<String, Object>> objects() {
		String manifest = new Helm(this.directory).template()
			.withName(RELEASE)
			.withNamespace("mail")
			.withKubeVersion(KUBERNETES)
			.call();
		return parse(manifest);
	}

	/** The rendered notes, which Helm's template command leaves out. */
	String notes() throws IOException {
		Path template = Files.writeString(this.directory.resolve("templates/notes.yaml"),
				"notes: |-\n{{ include (print .Template.BasePath \"/NOTES.txt\") . | indent 2 }}\n");
		String notes = objects().stream()
			.filter((object) -> object.containsKey("notes"))
			.map((object) -> object.get("notes").toString())
			.collect(Collectors.joining());
		Files.delete(template);
		return notes;
	}

	@SuppressWarnings("unchecked")
	public static List<Map<String, Object>> parse(String manifest) {
		List<Map<String, Object>> objects = new ArrayList<>();
		for (Object object : new Yaml().loadAll(manifest)) {
			if (object != null) {
				objects.add((Map<String, Object>) object);
			}
		}
		return objects;
	}

	/** The rendered objects of a kind. */
	<T extends HasMetadata> List<T> objects(Class<T> type) {
		return objects().stream()
			.filter((object) -> object.get("kind").equals(type.getSimpleName()))
			.map((object) -> typed(object, type))
			.toList();
	}

	/** An object as a typed model; fails on fields that the model does not have. */
	static <T> T typed(Map<String, Object> object, Class<T> type) {
		return STRICT.convertValue(object, type);
	}

}
