package dev.mailroom.accept;

import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.fasterxml.uuid.NoArgGenerator;

/** One recipient of a mail about to be inserted. */
record RecipientRow(UUID id, NewEmail entry, int position, String recipient, boolean suppressed) {

	static Stream<RecipientRow> of(NewEmail entry, NoArgGenerator ids) {
		List<String> recipients = entry.recipients();
		return IntStream.range(0, recipients.size()).mapToObj((i) -> {
			String recipient = recipients.get(i);
			return new RecipientRow(ids.generate(), entry, i, recipient, entry.isSuppressed(recipient));
		});
	}

}
