package dev.mailroom.sdk;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class JsonTest {

	@Test
	void valuesAreReadAsTheyWereWritten() {
		Map<String, Object> value = new LinkedHashMap<>();
		value.put("text", "\"\\/\b\f\n\r\t\u0000\u001f é 😀 \ud800");
		value.put("numbers", List.of(0L, -1L, 9_007_199_254_740_993L, new BigDecimal("1.5"), new BigDecimal("-2E+10")));
		value.put("others", Arrays.asList(true, false, null, List.of(), Map.of()));
		assertThat(Json.read(Json.write(value))).isEqualTo(value);
		assertThat(Json.read(" [ 1 , {\"a\" : \"\\u00e9\\/\" , \"b\":[ ] } ]\n"))
			.isEqualTo(List.of(1L, Map.of("a", "é/", "b", List.of())));
		assertThat(Json.read("99999999999999999999")).isEqualTo(new BigDecimal("99999999999999999999"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "{", "[1", "[1,]", "{\"a\"}", "{\"a\":}", "{a:1}", "{\"a\":1,}", "01", "1.", "-",
			"1e", "+1", ".5", "nul", "truee", "'x'", "\"", "\"\\x\"", "\"\\u12g4\"", "\"a\nb\"", "1 2", "[1}", "NaN",
			"\"\\u00\"", "\"\\" })
	void whatIsNoJsonIsRefused(String text) {
		assertThatIllegalArgumentException().isThrownBy(() -> Json.read(text));
	}

	@Test
	void deepNestingIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> Json.read("[".repeat(100_000)));
	}

}
