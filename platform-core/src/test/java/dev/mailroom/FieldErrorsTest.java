package dev.mailroom;

import dev.mailroom.Refusal.Detail;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class FieldErrorsTest {

	private final FieldErrors errors = new FieldErrors();

	@Test
	void aRequestWithoutErrorsIsNotRefused() {
		this.errors.refuseIfAny(Refusal.INVALID_REQUEST, FieldErrors::first);
		assertThat(this.errors.isEmpty()).isTrue();
	}

	@Test
	void allFieldsAreReportedTogetherWithTheirPaths() {
		this.errors.add("name", "is required");
		this.errors.at("files[0].").at("owner.").add("email", "is not an e-mail address");
		assertThatExceptionOfType(Refused.class)
			.isThrownBy(() -> this.errors.refuseIfAny(Refusal.INVALID_REQUEST, FieldErrors::first))
			.withMessage("name is required")
			.satisfies((refused) -> {
				assertThat(refused.refusal()).isEqualTo(Refusal.INVALID_REQUEST);
				assertThat(refused.details()).containsExactly(new Detail("name", "is required"),
						new Detail("files[0].owner.email", "is not an e-mail address"));
			});
	}

	@Test
	void aSummaryStatesTheFirstErrorAndTheNumberOfTheOthers() {
		this.errors.add("name", "is required");
		assertThat(this.errors.summary()).isEqualTo("name is required");
		this.errors.add("age", "must be a number");
		this.errors.add("size", "must be a number");
		assertThat(this.errors.summary()).isEqualTo("name is required (and 2 more, see details)");
	}

}
