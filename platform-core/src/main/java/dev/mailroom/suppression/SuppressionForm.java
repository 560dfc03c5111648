package dev.mailroom.suppression;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import dev.mailroom.EmailAddress;
import dev.mailroom.Refusal;
import org.jspecify.annotations.Nullable;

/**
 * An address that somebody asks to suppress: nothing in it has been looked at yet.
 *
 * @param reason null for manual
 */
public record SuppressionForm(@Nullable String email, @Nullable String reason) {

	private static final Set<String> REASONS = Set.of("hard_bounce", "complaint", "unsubscribe", "manual");

	/** As many are told: a thousand bad addresses need no thousand lines. */
	private static final int MOST_TOLD = 100;

	/**
	 * The reasons by address, lower-case; of those with one address the first one stands.
	 * @param at the beginning of the fields' paths, with its place for %d
	 * @throws dev.mailroom.Refused {@code Invalid request data}
	 */
	static Map<String, String> read(List<@Nullable SuppressionForm> forms, String at) {
		List<Refusal.Detail> wrong = new ArrayList<>();
		Map<String, String> read = new LinkedHashMap<>();
		for (int i = 0; i < forms.size(); i++) {
			@Nullable SuppressionForm form = forms.get(i);
			Optional<EmailAddress> address = Optional.ofNullable(form)
				.map(SuppressionForm::email)
				.flatMap((email) -> EmailAddress.parse(email.strip()));
			String reason = (form != null && form.reason() != null) ? form.reason() : "manual";
			if (address.isEmpty()) {
				wrong.add(new Refusal.Detail(at.formatted(i) + "email", "is required: an e-mail address"));
			}
			if (!REASONS.contains(reason)) {
				wrong.add(new Refusal.Detail(at.formatted(i) + "reason",
						"must be hard_bounce, complaint, unsubscribe or manual"));
			}
			address.ifPresent((it) -> read.putIfAbsent(it.key(), reason));
		}
		if (!wrong.isEmpty()) {
			throw SuppressionRefusals.INVALID.because(wrong.getFirst().field() + " " + wrong.getFirst().message(),
					wrong.subList(0, Math.min(MOST_TOLD, wrong.size())));
		}
		return read;
	}

}
