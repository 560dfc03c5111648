package dev.mailroom.accept;

import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/** One attachment of a mail about to be inserted; its content is base64. */
record FileRow(UUID emailId, int position, UUID accountId, String content) {

	static Stream<FileRow> of(NewEmail entry) {
		List<Draft.File> files = entry.draft().attachments();
		return IntStream.range(0, files.size())
			.filter((i) -> !entry.outside().contains(Integer.toString(i)))
			.mapToObj((i) -> new FileRow(entry.id(), i, entry.accountId(), files.get(i).content()));
	}

	/** What is listed of a mail's files beside its bodies. */
	static List<Listed> listed(NewEmail entry) {
		return entry.draft()
			.attachments()
			.stream()
			.map((file) -> new Listed(file.filename(), file.contentType(), file.contentId()))
			.toList();
	}

	/** A file without its content, as the column's JSON has it. */
	record Listed(String filename, @JsonProperty("content_type") String contentType,
			@JsonProperty("content_id") @Nullable String contentId) {
	}

}
