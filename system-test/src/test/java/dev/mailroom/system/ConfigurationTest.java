package dev.mailroom.system;

import java.io.IOException;
import java.lang.reflect.Parameter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.mailroom.Allowed;
import dev.mailroom.SettingChecks;
import dev.mailroom.WrongSetting;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.beans.factory.annotation.AnnotatedBeanDefinition;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.FileSystemResource;
import org.springframework.core.type.filter.AnnotationTypeFilter;
import org.springframework.util.ClassUtils;
import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ConfigurationTest {

	private static final Path ROOT = Path.of("..");

	private static final Pattern VARIABLE = Pattern.compile("\\$\\{(MAILROOM_[A-Z0-9_]+):?([^}]*)");

	private static final List<String> FILES = List.of("platform-api/src/main/resources/platform-api.yaml",
			"tenant-admin/src/main/resources/tenant-admin.yaml",
			"delivery-worker/src/main/resources/delivery-worker.yaml", "standalone/src/main/resources/standalone.yaml");

	@Test
	void everyVariableHasOneRowWithItsDefault() throws IOException {
		Map<String, String> rows = rows();
		Map<String, List<String>> defaults = new TreeMap<>();
		for (String file : FILES) {
			Matcher variables = VARIABLE.matcher(Files.readString(ROOT.resolve(file)));
			while (variables.find()) {
				defaults.computeIfAbsent(variables.group(1), (_) -> new ArrayList<>()).add(variables.group(2));
			}
		}
		assertThat(rows.keySet()).containsExactlyElementsOf(defaults.keySet());
		defaults.forEach((variable, values) -> assertThat(values)
			.allMatch((value) -> value.isEmpty() || value.equals("false") || documents(rows.get(variable), value)));
	}

	@ParameterizedTest
	@FieldSource("FILES")
	void aVariableAppearsOnceInItsFile(String file) throws IOException {
		Matcher variables = VARIABLE.matcher(Files.readString(ROOT.resolve(file)));
		List<String> names = new ArrayList<>();
		while (variables.find()) {
			names.add(variables.group(1));
		}
		assertThat(names).isNotEmpty().doesNotHaveDuplicates();
	}

	@ParameterizedTest
	@MethodSource("settings")
	void aNumberHasADocumentedRangeAndIsRefusedOutsideOfIt(Setting setting) throws IOException {
		assertThat(setting.allowed).as("@Allowed of " + setting.property).isNotNull();
		assertThat(rows().get(setting.variable)).as("row of " + setting.variable)
			.contains(setting.allowed.from() + " to " + setting.allowed.to());
		for (String wrong : setting.wrong()) {
			assertThatThrownBy(() -> setting.read(wrong)).as(setting.variable + "=" + wrong)
				.rootCause()
				.isInstanceOf(WrongSetting.class)
				.hasMessageStartingWith(setting.variable + " is \"" + wrong + "\"");
		}
		setting.read(setting.allowed.from());
		setting.read(setting.allowed.to());
	}

	/** Rows of the table by the variable that they describe. */
	private static Map<String, String> rows() throws IOException {
		try (Stream<String> lines = Files.lines(ROOT.resolve("docs/configuration.md"))) {
			return lines.filter((line) -> line.startsWith("| `MAILROOM_"))
				.collect(Collectors.toMap((row) -> row.substring(3, row.indexOf('`', 3)), (row) -> row,
						(one, other) -> one + other, TreeMap::new));
		}
	}

	private static boolean documents(String row, String value) {
		// Long lists are cut.
		return row.contains("`" + value + "`") || (row.contains(",…`") && row.contains("`" + value.substring(0, 8)));
	}

	/**
	 * Settings with a variable that are numbers, durations or sizes, or lists of them.
	 */
	static List<Setting> settings() throws Exception {
		List<Setting> all = new ArrayList<>();
		var scanner = new ClassPathScanningCandidateComponentProvider(false) {

			@Override
			protected boolean isCandidateComponent(AnnotatedBeanDefinition bean) {
				return true;
			}

		};
		scanner.addIncludeFilter(new AnnotationTypeFilter(ConfigurationProperties.class));
		Map<String, String> properties = properties();
		for (var bean : scanner.findCandidateComponents("dev.mailroom")) {
			Class<?> type = ClassUtils.forName(String.valueOf(bean.getBeanClassName()), null);
			String prefix = type.getAnnotation(ConfigurationProperties.class).value();
			collect(new Setting(prefix, "", prefix, type, null), type, properties, all);
		}
		assertThat(all).hasSizeGreaterThan(40);
		return all;
	}

	private static void collect(Setting parent, Class<?> type, Map<String, String> properties, List<Setting> all) {
		for (Parameter parameter : type.getDeclaredConstructors()[0].getParameters()) {
			String property = parent.property + "." + DataObjectPropertyName.toDashedForm(parameter.getName());
			Matcher variable = VARIABLE.matcher(properties.getOrDefault(property, ""));
			if (parameter.getType().isRecord()) {
				collect(new Setting(property, "", parent.prefix, parent.type, null), parameter.getType(), properties,
						all);
			}
			else if (variable.find() && isNumber(ResolvableType.forType(parameter.getParameterizedType()))) {
				all.add(new Setting(property, variable.group(1), parent.prefix, parent.type,
						parameter.getAnnotation(Allowed.class)));
			}
		}
	}

	private static boolean isNumber(ResolvableType type) {
		Class<?> one = ClassUtils
			.resolvePrimitiveIfNecessary((type.hasGenerics() ? type.getGeneric(0) : type).toClass());
		return Number.class.isAssignableFrom(one) || one == Duration.class || one == DataSize.class;
	}

	/** The properties of all files as they are written, with the names of variables. */
	private static Map<String, String> properties() throws IOException {
		Map<String, String> properties = new HashMap<>();
		for (String file : FILES) {
			for (var source : new YamlPropertySourceLoader().load(file, new FileSystemResource(ROOT.resolve(file)))) {
				for (String name : ((EnumerablePropertySource<?>) source).getPropertyNames()) {
					properties.put(name, String.valueOf(source.getProperty(name)));
				}
			}
		}
		return properties;
	}

	/**
	 * A component of a settings record.
	 *
	 * @param prefix prefix of the record
	 * @param type type of the record
	 */
	record Setting(String property, String variable, String prefix, Class<?> type, Allowed allowed) {

		/** Values below and above the range, and one without the unit that it needs. */
		List<String> wrong() {
			String to = this.allowed.to();
			String unit = to.replaceAll("[0-9.]", "");
			String above = (Long.parseLong(to.replaceAll("[^0-9]", "")) + 1) + unit;
			return unit.isEmpty() ? List.of("-2", above, "x") : List.of("30", "-2" + unit, above, "x");
		}

		void read(String value) throws IOException {
			StandardEnvironment environment = new StandardEnvironment();
			environment.getPropertySources().addFirst(new MapPropertySource("files", new HashMap<>(properties())));
			environment.getPropertySources().addFirst(new MapPropertySource("variable", Map.of(this.variable, value)));
			SettingChecks.bind(environment, this.prefix, this.type);
		}

		@Override
		public String toString() {
			return this.property;
		}

	}

}
