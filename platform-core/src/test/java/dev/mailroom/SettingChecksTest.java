package dev.mailroom;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@ExtendWith(OutputCaptureExtension.class)
class SettingChecksTest {

	/** Content of the yaml file of an app. */
	private static final Map<String, Object> FILE = Map.of("mailroom.sample.age", "${MAILROOM_AGE:30d}",
			"mailroom.sample.delays", "${MAILROOM_DELAYS:1s,2m}", "mailroom.sample.size", "${MAILROOM_SIZE:64KB}",
			"mailroom.sample.lanes", "${MAILROOM_LANES:40}", "mailroom.sample.share", "${MAILROOM_SHARE:0.5}",
			"mailroom.sample.store", "${MAILROOM_STORE:bucket}", "mailroom.sample.shown", "${MAILROOM_SHOWN:false}");

	@Test
	void theDefaultsOfTheFileArePermitted() {
		assertThat(settings(Map.of()))
			.isEqualTo(new Sample(Duration.ofDays(30), List.of(Duration.ofSeconds(1), Duration.ofMinutes(2)),
					DataSize.ofKilobytes(64), 40, 0.5, Store.BUCKET, false));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			MAILROOM_AGE    | 30      | a duration with its unit, as 500ms, 30s, 5m, 72h or 30d, from 1d to 365d, or 0
			MAILROOM_AGE    | 23h     | a duration with its unit, as 500ms, 30s, 5m, 72h or 30d, from 1d to 365d, or 0
			MAILROOM_AGE    | -1d     | a duration with its unit, as 500ms, 30s, 5m, 72h or 30d, from 1d to 365d, or 0
			MAILROOM_AGE    | a month | a duration with its unit, as 500ms, 30s, 5m, 72h or 30d, from 1d to 365d, or 0
			MAILROOM_DELAYS | 30s,2   | a list, separated by commas, of a duration with its unit
			MAILROOM_DELAYS | 1s,8d   | a list, separated by commas, of a duration with its unit
			MAILROOM_DELAYS | 1s,x    | a list, separated by commas, of a duration with its unit
			MAILROOM_DELAYS | ''      | a list, separated by commas, of a duration with its unit
			MAILROOM_SIZE   | 64      | a size with its unit, as 64KB, from 1KB to 25MB
			MAILROOM_SIZE   | 26MB    | a size with its unit, as 64KB, from 1KB to 25MB
			MAILROOM_LANES  | 0       | a number from 1 to 2000
			MAILROOM_LANES  | 2001    | a number from 1 to 2000
			MAILROOM_LANES  | 1e+06   | a number from 1 to 2000
			MAILROOM_LANES  | ''      | a number from 1 to 2000
			MAILROOM_SHARE  | 1.5     | a number from 0 to 1
			MAILROOM_STORE  | s4      | one of rows, bucket
			MAILROOM_SHOWN  | maybe   | true or false
			""")
	void aWrongValueIsRefusedWithTheNameOfItsVariable(String variable, String value, String allowed) {
		assertThatThrownBy(() -> settings(Map.of(variable, value))).rootCause()
			.isInstanceOf(WrongSetting.class)
			.hasMessageContaining(variable + " is \"" + value + "\", but it must be " + allowed);
	}

	@Test
	void zeroNeedsNoUnitWhereItHasAMeaning() {
		assertThat(settings(Map.of("MAILROOM_AGE", "0")).age()).isZero();
	}

	@Test
	void aVariableThatNoFileNamesIsNamedAsWell() {
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources()
			.replace(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, new SystemEnvironmentPropertySource(
					StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, Map.of("MAILROOM_SAMPLE_LANES", "0")));
		assertThatThrownBy(() -> SettingChecks.bind(environment, "mailroom.sample", Sample.class)).rootCause()
			.hasMessageStartingWith("MAILROOM_SAMPLE_LANES is \"0\"");
	}

	@Test
	void theStartOfAnAppReportsTheVariableWithoutAStackTrace(CapturedOutput output) {
		SpringApplicationBuilder app = new SpringApplicationBuilder(App.class).web(WebApplicationType.NONE)
			.properties(FILE)
			.properties("MAILROOM_AGE=30");
		assertThatThrownBy(app::run).rootCause().isInstanceOf(WrongSetting.class);
		assertThat(output).contains("MAILROOM_AGE is \"30\"").doesNotContain("\tat ");
	}

	private static Sample settings(Map<String, Object> variables) {
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources().addFirst(new MapPropertySource("file", FILE));
		environment.getPropertySources().addFirst(new MapPropertySource("variables", variables));
		return SettingChecks.bind(environment, "mailroom.sample", Sample.class);
	}

	enum Store {

		ROWS, BUCKET

	}

	@ConfigurationProperties("mailroom.sample")
	record Sample(@Allowed(from = "1d", to = "365d", or = "0") Duration age,
			@Allowed(from = "1ms", to = "7d") List<Duration> delays,
			@Allowed(from = "1KB", to = "25MB", or = "0") DataSize size,
			@DefaultValue("40") @Allowed(from = "1", to = "2000") int lanes,
			@Allowed(from = "0", to = "1") double share, Store store, boolean shown) {
	}

	@Configuration(proxyBeanMethods = false)
	@EnableConfigurationProperties(Sample.class)
	@Import(SettingChecks.class)
	static class App {

	}

}
