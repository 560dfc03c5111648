package dev.mailroom.mail.outcome;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.mailroom.EmailAddress;
import dev.mailroom.Refusal;
import org.jspecify.annotations.Nullable;

/**
 * An address to suppress as a request gives it, not validated.
 *
 * @param reason null for manual
 */
public record SuppressionForm(@Nullable String email, @Nullable String reason) {

	private static final int MAX_REPORTED_ERRORS = 100;

	/**
	 * Validates the forms and returns the reasons by address, in lower case. Of several
	 * with one address the first one counts.
	 * @param path prefix of the fields' paths in error details, with %d for the index
	 * @throws dev.mailroom.Refused {@code Invalid request data}
	 */
	static Map<String, SuppressionReason> parse(List<@Nullable SuppressionForm> forms, String path) {
		List<Refusal.Detail> errors = new ArrayList<>();
		Map<String, SuppressionReason> reasons = new LinkedHashMap<>();
		for (int i = 0; i < forms.size(); i++) {
			@Nullable SuppressionForm form = forms.get(i);
			String prefix = path.formatted(i);
			Optional<EmailAddress> address = address(form);
			Optional<SuppressionReason> reason = reason(form);
			if (address.isEmpty()) {
				errors.add(new Refusal.Detail(prefix + "email", "is required: an e-mail address"));
			}
			if (reason.isEmpty()) {
				errors.add(
						new Refusal.Detail(prefix + "reason", "must be hard_bounce, complaint, unsubscribe or manual"));
			}
			address.ifPresent((it) -> reason.ifPresent((why) -> reasons.putIfAbsent(it.key(), why)));
		}
		refuseIfAny(errors);
		return reasons;
	}

	private static Optional<EmailAddress> address(@Nullable SuppressionForm form) {
		return Optional.ofNullable(form)
			.map(SuppressionForm::email)
			.flatMap((email) -> EmailAddress.parse(email.strip()));
	}

	private static Optional<SuppressionReason> reason(@Nullable SuppressionForm form) {
		return (form == null || form.reason() == null) ? Optional.of(SuppressionReason.MANUAL)
				: SuppressionReason.of(form.reason());
	}

	private static void refuseIfAny(List<Refusal.Detail> errors) {
		if (!errors.isEmpty()) {
			Refusal.Detail first = errors.getFirst();
			throw Refusal.INVALID_REQUEST.because(first.field() + " " + first.message(),
					errors.subList(0, Math.min(MAX_REPORTED_ERRORS, errors.size())));
		}
	}

}
