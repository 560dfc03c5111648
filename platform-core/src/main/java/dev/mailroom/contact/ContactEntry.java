package dev.mailroom.contact;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.mailroom.EmailAddress;
import dev.mailroom.Refusal;
import org.jspecify.annotations.Nullable;

/**
 * A contact that can be stored.
 *
 * @param emailKey under which two spellings of one address are the same
 */
public record ContactEntry(String email, String emailKey, @Nullable String firstName, @Nullable String lastName,
		@Nullable Boolean subscribed, @Nullable Map<String, @Nullable Object> properties, boolean resubscribe) {

	/** What is read, or what is wrong with it. */
	public record Reading(@Nullable ContactEntry entry, List<Refusal.Detail> faults) {
	}

	/**
	 * Reads one contact.
	 * @param at where it stands in the request, as the beginning of its fields' paths
	 */
	public static Reading read(ContactForm form, String at) {
		FieldErrors faults = new FieldErrors(at);
		String email = (form.email() != null) ? form.email().strip() : "";
		Optional<EmailAddress> address = EmailAddress.parse(email);
		if (address.isEmpty()) {
			faults.add("email", email.isEmpty() ? "is required" : "is not an e-mail address");
		}
		faults.name("first_name", form.firstName());
		faults.name("last_name", form.lastName());
		faults.properties(form.properties());
		if (address.isEmpty() || !faults.isEmpty()) {
			return new Reading(null, faults.all());
		}
		return new Reading(new ContactEntry(email, address.get().key(), form.firstName(), form.lastName(),
				form.subscribed(), form.properties(), form.resubscribe()), List.of());
	}

	/**
	 * Reads the only contact of a request.
	 * @throws dev.mailroom.Refused {@code Invalid request data}
	 */
	static ContactEntry one(ContactForm form) {
		return settled(List.of(read(form, ""))).getFirst();
	}

	/**
	 * Reads all of a request's contacts; of those with one address the last one stands.
	 * @throws dev.mailroom.Refused {@code Invalid request data}
	 */
	static List<ContactEntry> all(List<@Nullable ContactForm> forms) {
		List<Reading> readings = new ArrayList<>();
		for (int i = 0; i < forms.size(); i++) {
			@Nullable ContactForm form = forms.get(i);
			String at = "[" + i + "]";
			readings.add((form != null) ? read(form, at + ".")
					: new Reading(null, List.of(new Refusal.Detail(at, "must be a contact"))));
		}
		return distinct(settled(readings));
	}

	/** Of those with one address, the last one. */
	public static List<ContactEntry> distinct(List<ContactEntry> entries) {
		Map<String, ContactEntry> last = new LinkedHashMap<>();
		entries.forEach((entry) -> last.put(entry.emailKey(), entry));
		return List.copyOf(last.values());
	}

	private static List<ContactEntry> settled(List<Reading> readings) {
		List<Refusal.Detail> faults = readings.stream().flatMap((reading) -> reading.faults().stream()).toList();
		List<ContactEntry> entries = readings.stream().map(Reading::entry).<ContactEntry>mapMulti((entry, next) -> {
			if (entry != null) {
				next.accept(entry);
			}
		}).toList();
		FieldErrors.settle(faults);
		return entries;
	}

}
