package dev.mailroom.mail.outcome;

import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import dev.mailroom.EmailAddress;
import dev.mailroom.FieldErrors;
import dev.mailroom.Page;
import org.jspecify.annotations.Nullable;

/**
 * An entry of an account's suppression list.
 *
 * @param address in lower case
 */
public record Suppression(UUID id, UUID accountId, String address, Reason reason,
		Instant createdAt) implements Page.Item {

	/**
	 * The entry of an address after a call that adds it.
	 *
	 * @param added whether the entry is new; an existing one keeps its reason and time
	 */
	public record Entered(Suppression suppression, boolean added) {
	}

	/**
	 * Entries that a request names by their ids or addresses.
	 *
	 * @param addresses in lower case
	 */
	public record Named(List<UUID> ids, List<String> addresses) {
	}

	/**
	 * An address to suppress as a request gives it, not validated.
	 *
	 * @param reason null for manual
	 */
	public record Form(@Nullable String email, @Nullable String reason) {

		/**
		 * Validates the forms and returns the reasons by address, in lower case. Of
		 * several with one address the first one counts.
		 * @param path prefix of the fields' paths in error details, with %d for the index
		 * @throws dev.mailroom.Refused {@code Invalid request data}
		 */
		static Map<String, Reason> parse(List<@Nullable Form> forms, String path) {
			FieldErrors errors = new FieldErrors();
			Map<String, Reason> reasons = new LinkedHashMap<>();
			for (int i = 0; i < forms.size(); i++) {
				@Nullable Form form = forms.get(i);
				FieldErrors fields = errors.at(path.formatted(i));
				Optional<EmailAddress> address = address(form);
				Optional<Reason> reason = reason(form);
				if (address.isEmpty()) {
					fields.add("email", "is required: an e-mail address");
				}
				if (reason.isEmpty()) {
					fields.add("reason", "must be hard_bounce, complaint, unsubscribe or manual");
				}
				address.ifPresent((it) -> reason.ifPresent((why) -> reasons.putIfAbsent(it.key(), why)));
			}
			errors.refuseIfAny();
			return reasons;
		}

		private static Optional<EmailAddress> address(@Nullable Form form) {
			return Optional.ofNullable(form).map(Form::email).flatMap((email) -> EmailAddress.parse(email.strip()));
		}

		private static Optional<Reason> reason(@Nullable Form form) {
			return (form == null || form.reason() == null) ? Optional.of(Reason.MANUAL) : Reason.of(form.reason());
		}

	}

	/** Reasons for which an address is suppressed. */
	public enum Reason {

		HARD_BOUNCE, COMPLAINT, UNSUBSCRIBE, MANUAL;

		/** Parses the contract's name of a reason; empty for any other text. */
		static Optional<Reason> of(String contractName) {
			return Arrays.stream(values()).filter((reason) -> reason.contractName().equals(contractName)).findFirst();
		}

		/** The contract's name of the reason, in lower case. */
		public String contractName() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

}
