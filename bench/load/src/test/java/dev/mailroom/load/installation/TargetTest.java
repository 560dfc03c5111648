package dev.mailroom.load.installation;

import java.util.Properties;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class TargetTest {

	private final Properties properties = new Properties();

	@Test
	void theDefaultsAreThoseOfAStandaloneOnThisMachine() {
		assertThat(new Target(this.properties).api()).isEqualTo("http://localhost:8080");
	}

	@Test
	void otherMachinesAreRefusedUnlessPermitted() {
		this.properties.setProperty("load.url", "https://192.0.2.1");
		assertThatIllegalArgumentException().isThrownBy(() -> new Target(this.properties))
			.withMessageContaining("-Dload.remote=true");
		this.properties.setProperty("load.remote", "true");
		assertThat(new Target(this.properties).api()).isEqualTo("https://192.0.2.1");
	}

	@Test
	void theAdminAppMustBeOnThisMachineToo() {
		this.properties.setProperty("load.admin", "https://192.0.2.1");
		assertThatIllegalArgumentException().isThrownBy(() -> new Target(this.properties));
	}

}
