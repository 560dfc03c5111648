package dev.mailroom.contact;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.mailroom.EmailAddress;
import dev.mailroom.FieldErrors;
import dev.mailroom.Refusal;
import org.jspecify.annotations.Nullable;

/**
 * A contact with valid fields, to be added or updated. A field that is null stays as it
 * is if the contact exists.
 *
 * @param emailKey the address in the form that identifies a contact within its book
 * @param resubscribe whether to subscribe the contact even if it has unsubscribed
 * @param origin the origin of the request
 */
public record ContactEntry(String email, String emailKey, @Nullable String firstName, @Nullable String lastName,
		@Nullable Boolean subscribed, @Nullable Map<String, @Nullable Object> properties, boolean resubscribe,
		Consent.Origin origin) {

	/**
	 * Validates one contact.
	 * @param path prefix of its fields' paths in error details
	 */
	public static Parsed parse(ContactForm form, String path) {
		FieldErrors errors = new FieldErrors().at(path);
		String email = (form.email() != null) ? form.email().strip() : "";
		Optional<EmailAddress> address = EmailAddress.parse(email);
		if (address.isEmpty()) {
			errors.add("email", email.isEmpty() ? "is required" : "is not an e-mail address");
		}
		ContactFields.checkName(errors, "first_name", form.firstName());
		ContactFields.checkName(errors, "last_name", form.lastName());
		ContactFields.checkProperties(errors, form.properties());
		if (address.isEmpty() || !errors.isEmpty()) {
			return new Invalid(errors.all());
		}
		return new Valid(new ContactEntry(email, address.get().key(), form.firstName(), form.lastName(),
				form.subscribed(), form.properties(), form.resubscribe(), form.origin()));
	}

	/**
	 * Validates the only contact of a request.
	 * @throws dev.mailroom.Refused {@code Invalid request data}
	 */
	static ContactEntry parseOne(ContactForm form) {
		return valid(List.of(parse(form, ""))).getFirst();
	}

	/**
	 * Validates all contacts of a request. Of several with one address the last one
	 * counts.
	 * @throws dev.mailroom.Refused {@code Invalid request data}
	 */
	static List<ContactEntry> parseAll(List<@Nullable ContactForm> forms) {
		List<Parsed> parsed = new ArrayList<>();
		for (int i = 0; i < forms.size(); i++) {
			@Nullable ContactForm form = forms.get(i);
			String path = "[" + i + "]";
			parsed.add((form != null) ? parse(form, path + ".")
					: new Invalid(List.of(new Refusal.Detail(path, "must be a contact"))));
		}
		return distinct(valid(parsed));
	}

	/** Removes all but the last of several entries with one address. */
	public static List<ContactEntry> distinct(List<ContactEntry> entries) {
		Map<String, ContactEntry> lastByKey = new LinkedHashMap<>();
		entries.forEach((entry) -> lastByKey.put(entry.emailKey(), entry));
		return List.copyOf(lastByKey.values());
	}

	private static List<ContactEntry> valid(List<Parsed> parsed) {
		List<ContactEntry> entries = new ArrayList<>();
		FieldErrors errors = new FieldErrors();
		for (Parsed contact : parsed) {
			switch (contact) {
				case Valid(var entry) -> entries.add(entry);
				case Invalid(var details) -> details.forEach((detail) -> errors.add(detail.field(), detail.message()));
			}
		}
		errors.refuseIfAny();
		return entries;
	}

	/** Result of validating a contact. */
	public sealed interface Parsed {

	}

	/** A contact without errors. */
	public record Valid(ContactEntry entry) implements Parsed {
	}

	/** A contact with at least one error. */
	public record Invalid(List<Refusal.Detail> errors) implements Parsed {

		public Invalid {
			errors = List.copyOf(errors);
			if (errors.isEmpty()) {
				throw new IllegalArgumentException("An invalid contact has at least one error");
			}
		}

	}

}
