package dev.mailroom.account;

import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import dev.mailroom.Refused;
import dev.mailroom.WrongSetting;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

class CellTest {

	private final Cell cell = new Cell("eu1");

	@ParameterizedTest
	@ValueSource(strings = { "us", "us1", "us10" })
	void credentialsOfAnotherCellAreMisdirected(String other) {
		assertThatExceptionOfType(Refused.class).isThrownBy(() -> this.cell.check(KeyText.random(other).text()))
			.satisfies((refused) -> {
				assertThat(refused.refusal().kind().status()).isEqualTo(421);
				assertThat(refused.refusal().error()).isEqualTo("Misdirected");
				assertThat(refused.message()).contains("cell " + other + ",");
			});
		assertThatExceptionOfType(Refused.class).isThrownBy(() -> this.cell.check(token(other)));
	}

	@Test
	void credentialsOfThisCellAndThoseWithoutOneAreNot() {
		for (String own : new String[] { "eu1", "" }) {
			assertThatNoException().isThrownBy(() -> this.cell.check(KeyText.random(own).text()));
			assertThatNoException().isThrownBy(() -> this.cell.check(token(own)));
		}
		for (String wrong : new String[] { "", "ek_", "ek_us1aaaaaaaaaaaa_b", "a.b.c", token("<b>") }) {
			assertThatNoException().as(wrong).isThrownBy(() -> this.cell.check(wrong));
		}
	}

	@Test
	void anInstallationWithoutCellsReadsNoCredential() {
		Cell none = new Cell("");
		assertThatNoException().isThrownBy(() -> none.check(KeyText.random("us1").text()));
		assertThatNoException().isThrownBy(() -> none.check(token("us1")));
	}

	@Test
	void aKeyNamesItsCell() {
		KeyText key = KeyText.random("eu1");
		assertThat(key.text()).matches("ek_eu1[0-9A-Za-z]{12}_[0-9A-Za-z]{49}");
		assertThat(KeyText.parse(key.text()).orElseThrow().cell()).isEqualTo("eu1");
		assertThat(KeyText.parse(KeyText.random("").text()).orElseThrow().cell()).isEmpty();
		assertThat(KeyText.parse(key.text().replace("ek_eu1", "ek_us1"))).as("checksum").isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "e", "europe", "EU", "1eu", "eu-1" })
	void otherNamesAreRefusedAtTheStart(String name) {
		assertThatExceptionOfType(WrongSetting.class).isThrownBy(() -> new Cell(name))
			.withMessageContaining("MAILROOM_CELL");
	}

	private static String token(String cell) {
		return new PlainJWT(new JWTClaimsSet.Builder().subject("ann").claim("cell", cell).build()).serialize();
	}

}
