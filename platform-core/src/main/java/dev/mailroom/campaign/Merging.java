package dev.mailroom.campaign;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.EmailAddress;
import dev.mailroom.Refused;
import dev.mailroom.campaign.CampaignFanOutStore.Candidate;
import dev.mailroom.campaign.CampaignFanOutStore.Recipient;
import dev.mailroom.template.Content;
import dev.mailroom.template.Variables;
import org.jspecify.annotations.Nullable;

/** Creates the recipients of one campaign with the values of its placeholders. */
final class Merging {

	private final Content subject;

	private final List<String> names;

	Merging(String subject, @Nullable String html, @Nullable String text) {
		this.subject = new Content(subject, null, null);
		this.names = new Content(subject, html, text).variables();
	}

	/** The recipients among contacts; those that are skipped have no mail. */
	List<Recipient> recipients(List<Candidate> contacts, NoArgGenerator ids) {
		return contacts.stream()
			.filter(Candidate::found)
			.map((contact) -> contact.getsMail() ? recipient(contact, ids.generate())
					: new Recipient(contact.id(), null, null, null, Map.of()))
			.toList();
	}

	private Recipient recipient(Candidate candidate, UUID emailId) {
		Map<String, String> values = new HashMap<>();
		for (String name : this.names) {
			value(candidate, name).ifPresent((value) -> values.put(name, value));
		}
		String address = EmailAddress.parse(candidate.email()).map(EmailAddress::toString).orElse(candidate.email());
		return new Recipient(candidate.id(), emailId, address, subject(values), values);
	}

	private String subject(Map<String, String> values) {
		try {
			return String.valueOf(this.subject.render(values).subject());
		}
		catch (Refused _) {
			// The values make it too long, or contain line breaks.
			return String.valueOf(this.subject.render(Map.of()).subject());
		}
	}

	private static Optional<String> value(Candidate candidate, String name) {
		return switch (name) {
			case "email" -> Optional.of(candidate.email());
			case "first_name" -> Optional.of(candidate.firstName());
			case "last_name" -> Optional.of(candidate.lastName());
			default -> Variables.text(candidate.properties().get(name));
		};
	}

}
