package dev.mailroom.api.inbound;

import java.util.List;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.mailroom.inbound.InboundEmail;
import org.jspecify.annotations.Nullable;

/** A received mail with its content, as GET /inbound/:id shows it. */
record InboundDetail(@JsonUnwrapped InboundItem email, List<String> recipients, @Nullable String html,
		@Nullable String text, List<File> attachments) {

	static InboundDetail of(InboundEmail.Whole mail) {
		return new InboundDetail(InboundItem.of(mail.email()), mail.recipients(), mail.text().html(),
				mail.text().text(), mail.files().stream().map(File::of).toList());
	}

	/** An attachment with the number by which it is downloaded. */
	record File(int position, String filename, String contentType, long size) {

		static File of(InboundEmail.File file) {
			return new File(file.position(), file.filename(), file.contentType(), file.size());
		}

	}

}
