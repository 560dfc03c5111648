package dev.mailroom.contact;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.mailroom.Refusal;

/**
 * The result that a call which saves contacts would have.
 *
 * @param added number of contacts with a new address
 * @param updated number of contacts whose address the book has
 * @param stayUnsubscribed number of updated contacts that have unsubscribed and stay so
 * @param refused errors of invalid contacts, in the order of the input
 */
public record ImportCheck(long added, long updated, long stayUnsubscribed, List<RefusedLine> refused) {

	public ImportCheck {
		refused = List.copyOf(refused);
	}

	/**
	 * An error of one contact.
	 *
	 * @param index position in the input, counted from 0
	 */
	public record RefusedLine(int index, String field, String message) {
	}

	/** Contacts of a request, divided into valid and refused ones. */
	record Parsed(List<ContactEntry> entries, List<RefusedLine> refused) {

		static Parsed of(List<ContactForm> forms) {
			List<ContactEntry> entries = new ArrayList<>();
			List<RefusedLine> refused = new ArrayList<>();
			for (int i = 0; i < forms.size(); i++) {
				switch (ContactEntry.parse(forms.get(i), "")) {
					case ContactEntry.Valid(var entry) -> entries.add(entry);
					case ContactEntry.Invalid(var errors) -> {
						Refusal.Detail first = errors.getFirst();
						refused.add(new RefusedLine(i, first.field(), first.message()));
					}
				}
			}
			return new Parsed(ContactEntry.distinct(entries), refused);
		}

		List<String> keys() {
			return this.entries.stream().map(ContactEntry::emailKey).toList();
		}

		/**
		 * The result for a book.
		 * @param subscriptions whether its contacts are subscribed, by address key
		 */
		ImportCheck against(Map<String, Boolean> subscriptions) {
			long stay = this.entries.stream()
				.filter((entry) -> !entry.resubscribe() && !Boolean.FALSE.equals(entry.subscribed()))
				.filter((entry) -> Boolean.FALSE.equals(subscriptions.get(entry.emailKey())))
				.count();
			return new ImportCheck(this.entries.size() - subscriptions.size(), subscriptions.size(), stay,
					this.refused);
		}

	}

}
