package dev.mailroom.contact;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class FormulaGuardTest {

	/** The characters that OWASP lists for CSV injection. */
	@ParameterizedTest
	@ValueSource(strings = { "=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20" })
	void aValueThatBeginsLikeAFormulaIsEscapedAndRestored(String begin) {
		for (String value : new String[] { begin, begin + "1+1", begin + "=cmd|' /C calc'!A0" }) {
			String cell = FormulaGuard.escape(value);
			assertThat(cell).isEqualTo("'" + value);
			assertThat(FormulaGuard.unescape(cell)).isEqualTo(value);
		}
	}

	@Test
	void otherValuesAreNotChanged() {
		for (String value : new String[] { "", "Ann", "a=1", "'", "'t Hart", "1-1", " =1" }) {
			assertThat(FormulaGuard.escape(value)).isEqualTo(value);
			assertThat(FormulaGuard.unescape(value)).isEqualTo(value);
		}
	}

}
