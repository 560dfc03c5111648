package dev.mailroom.api.email;

import java.util.List;
import java.util.UUID;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.mailroom.Refusal;
import dev.mailroom.mail.accept.SendResult;
import org.jspecify.annotations.Nullable;

/** Response to POST /emails/batch: an item for each mail, in the request's order. */
record BatchResponse(List<Item> data) {

	static BatchResponse of(List<SendResult.MailResult> mails) {
		return new BatchResponse(mails.stream().map(Item::of).toList());
	}

	/** The id of a mail, or its error. */
	record Item(@JsonProperty("emailId") @Nullable UUID emailId,
			@JsonInclude(JsonInclude.Include.NON_NULL) @Nullable MailError error) {

		static Item of(SendResult.MailResult mail) {
			return switch (mail) {
				case SendResult.Accepted accepted -> new Item(accepted.id(), null);
				case SendResult.Rejected(var refusal, var message) -> new Item(null, MailError.of(refusal, message));
			};
		}

	}

	/** Error of a mail that was refused. */
	record MailError(String name, String error, String message, @JsonProperty("statusCode") int statusCode) {

		static MailError of(Refusal refusal, String message) {
			return new MailError(refusal.name(), refusal.error(), message, refusal.kind().status());
		}

	}

}
