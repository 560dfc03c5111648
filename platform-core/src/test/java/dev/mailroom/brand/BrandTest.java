package dev.mailroom.brand;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.mailroom.Given;
import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.blob.Blobs;
import dev.mailroom.domain.AskingTestDns;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static dev.mailroom.Await.isEmpty;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class BrandTest extends AskingTestDns {

	private static final String PNG = "\u0089PNG\r\n\u001a\n";

	@Autowired
	Brands brands;

	@Autowired
	Blobs blobs;

	private final Scope scope = Scope.of(Given.account("free"));

	@ParameterizedTest
	@EnumSource
	void everyLanguageHasEveryText(Language language) {
		assertThat(language.keys()).isEqualTo(Language.EN.keys());
		assertThat(language.keys()).allSatisfy((key) -> assertThat(language.text(key, "Walks")).isNotBlank()
			.doesNotContain("{", "'")
			.matches((text) -> text.contains("Walks") == Language.EN.text(key, "Walks").contains("Walks")));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', nullValues = "none", textBlock = """
			EN DE | none                     | EN
			EN DE | de-AT,de;q=0.9,en;q=0.8  | DE
			EN DE | fr,en;q=0.5              | EN
			DE EN | fr                       | DE
			DE    | en                       | DE
			DE EN | en-GB                    | EN
			EN DE | de;q=x                   | EN
			""")
	void theReadersLanguageIsChosenAmongThoseOfTheAccount(String offered, String accepted, Language chosen) {
		assertThat(Language.choose(Stream.of(offered.split(" ")).map(Language::valueOf).toList(), accepted))
			.isEqualTo(chosen);
	}

	@ParameterizedTest
	@CsvSource({ "#0f766e, #ffffff, true", "#ffe000, #000000, false", "#ffffff, #000000, false",
			"#000000, #ffffff, true", "#777777, #000000, false" })
	void textOnAColourIsBlackOrWhiteAndTextInItIsReadable(String colour, String text, boolean readable) {
		Colour parsed = Colour.parse(colour).orElseThrow();
		assertThat(parsed.text()).hasToString(text);
		assertThat(parsed.isReadableOn(Colour.WHITE)).isEqualTo(readable);
		assertThat(parsed).hasToString(colour);
	}

	@Test
	void theBrandIsThatOfTheAccountAndTheLogoStaysUnlessItIsReplacedOrRemoved() {
		assertThat(await(this.brands.find(this.scope))).isEqualTo(Brand.NONE);
		Brand saved = change("Quillmoor Press", "#0F766E", " 1 Moor Lane\r\nYork ", logo(PNG));
		assertThat(saved).isEqualTo(new Brand("Quillmoor Press", new Colour(0x0f766e), "1 Moor Lane\nYork",
				List.of(Language.DE, Language.EN), saved.logo()));
		assertThat(await(this.brands.logo(this.scope, saved.logo())).type()).isEqualTo("image/png");
		assertThat(isEmpty(this.brands.logo(Scope.of(Given.account("free")), saved.logo()))).isTrue();
		assertThat(change("Quillmoor", null, "", null).logo()).isEqualTo(saved.logo());
		Brand replaced = change("Quillmoor", null, "", logo("\u00ff\u00d8\u00ff\u00e0"));
		assertThat(replaced.logo()).isNotEqualTo(saved.logo());
		assertThat(isEmpty(this.brands.logo(this.scope, saved.logo()))).isTrue();
		assertThat(await(this.brands.logo(this.scope, replaced.logo())).type()).isEqualTo("image/jpeg");
		assertThat(change("Quillmoor", null, "", "").logo()).isNull();
		assertThat(await(this.brands.find(this.scope)))
			.isEqualTo(new Brand("Quillmoor", null, "", List.of(Language.DE, Language.EN), null));
		assertThat(Given.rows("select act from audit where account_id = '%s'", this.scope.account()))
			.containsOnly("brand.changed")
			.hasSize(4);
	}

	@Test
	void aLargeLogoIsInTheBucketUntilItIsReplacedOrTheAccountIsDeleted() {
		UUID first = change("", null, "", logo("RIFF1234WEBP" + "x".repeat(100_000))).logo();
		assertThat(await(this.brands.logo(this.scope, first)).content()).hasSize(100_012);
		assertThat(BUCKET.keys(this.scope.account())).hasSize(1);
		assertThat(Given.rows("select logo is null from brand where account_id = '%s'", this.scope.account()))
			.containsExactly("t");
		change("", null, "", logo(PNG + "y".repeat(100_000)));
		this.blobs.sweep();
		assertThat(BUCKET.keys(this.scope.account())).hasSize(1).noneMatch((key) -> key.contains(first.toString()));
		Given.run("delete from account where id = '%s'", this.scope.account());
		this.blobs.sweep();
		assertThat(BUCKET.keys(this.scope.account())).isEmpty();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', nullValues = "none", textBlock = """
			name   | Press <x@y.test> | none | none
			name   | see https://x    | none | none
			colour | Press            | teal | none
			colour | Press            | #fff | none
			logo   | Press            | none | %%%
			logo   | Press            | none | PHN2Zy8+
			logo   | Press            | none | UklGRjEyMzRXRUI=
			""")
	void anInvalidFieldIsRefused(String field, String name, String colour, String logo) {
		assertThat(refusedFields(name, colour, "", logo)).isEqualTo(field);
	}

	@Test
	void largeTextsAndLogosAreRefused() {
		String large = logo(PNG + "x".repeat(BrandChange.MAX_LOGO));
		assertThat(refusedFields("n".repeat(101), null, "f".repeat(501), large)).isEqualTo("name footer logo");
		assertThat(refusedFields("n", null, "a\u0007", null)).isEqualTo("footer");
	}

	private static String refusedFields(String name, String colour, String footer, String logo) {
		List<Language> languages = List.of(Language.EN);
		return assertThatExceptionOfType(Refused.class)
			.isThrownBy(() -> BrandChange.of(name, colour, footer, languages, logo))
			.actual()
			.details()
			.stream()
			.map(Refusal.Detail::field)
			.collect(Collectors.joining(" "));
	}

	private Brand change(String name, String colour, String footer, String logo) {
		return await(this.brands.change(this.scope,
				BrandChange.of(name, colour, footer, List.of(Language.DE, Language.EN, Language.DE), logo)));
	}

	private static String logo(String bytes) {
		return Base64.getEncoder().encodeToString(bytes.getBytes(StandardCharsets.ISO_8859_1));
	}

}
