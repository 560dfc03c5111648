package dev.mailroom.observability;

import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class UnknownVariablesTest {

	@Test
	void aMisspeltVariableIsReportedOnceWithTheNameThatWasMeant(CapturedOutput output) {
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources()
			.replace(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
					new SystemEnvironmentPropertySource(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
							Map.of("MAILROOM_DB_UR", "x", "MAILROOM_BODYRETENTION", "30d", "MAILROOM_DB_URL", "x",
									"MAILROOM_DB_OWNER_USER", "x", "HOME", "/")));
		for (int app = 0; app < 2; app++) {
			new UnknownVariables((destination) -> destination.get()).postProcessEnvironment(environment,
					new SpringApplication());
		}
		assertThat(output)
			.containsOnlyOnce("MAILROOM_DB_UR is not a documented setting. The most similar one is MAILROOM_DB_URL")
			.containsOnlyOnce("MAILROOM_BODYRETENTION is not a documented setting. "
					+ "The most similar one is MAILROOM_BODY_RETENTION");
		assertThat(output.getAll().split("not a documented setting", -1)).hasSize(3);
	}

}
