package dev.mailroom.api.email;

import java.util.List;
import java.util.UUID;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.mailroom.Refused;
import dev.mailroom.accept.MailResult;
import org.jspecify.annotations.Nullable;

/** The answer to POST /emails/batch: an item for each mail, in the request's order. */
record BatchAnswer(List<Item> data) {

	static BatchAnswer of(List<MailResult> verdicts) {
		return new BatchAnswer(verdicts.stream().map(Item::of).toList());
	}

	/** One mail's id, or why it was turned away. */
	record Item(@JsonProperty("emailId") @Nullable UUID emailId,
			@JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Fault error) {

		static Item of(MailResult verdict) {
			return switch (verdict) {
				case MailResult.Taken taken -> new Item(taken.id(), null);
				case MailResult.Turned(var refused) -> new Item(null, Fault.of(refused));
			};
		}

	}

	/** Why a mail was turned away. */
	record Fault(String name, String error, String message, @JsonProperty("statusCode") int statusCode) {

		static Fault of(Refused refused) {
			return new Fault(refused.refusal().name(), refused.refusal().error(), refused.message(),
					refused.refusal().kind().status());
		}

	}

}
