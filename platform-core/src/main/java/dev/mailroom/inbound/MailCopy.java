package dev.mailroom.inbound;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.blob.Blob;
import dev.mailroom.blob.Blobs;

/**
 * A received mail as it is stored for one of its destinations.
 *
 * @param sourceLinked whether its event has a link to the source
 * @param outside the parts that are stored in the bucket
 */
record MailCopy(InboundEmail email, List<String> recipients, boolean sourceLinked, List<Blob> outside) {

	/**
	 * The name of the part with the whole mail; the name of an attachment is its number.
	 */
	static final String RAW = "raw";

	static MailCopy of(InboundEmail email, ReceivingDomain destination, ArrivedMail mail, Blobs blobs) {
		List<Blob> outside = new ArrayList<>();
		if (blobs.isOutside(mail.raw().length)) {
			outside.add(new Blob(name(email, RAW), mail.raw()));
		}
		for (int i = 0; i < mail.files().size(); i++) {
			byte[] content = mail.files().get(i).content();
			if (blobs.isOutside(content.length)) {
				outside.add(new Blob(name(email, Integer.toString(i)), content));
			}
		}
		return new MailCopy(email, destination.recipients(), destination.sourceLinked(), List.copyOf(outside));
	}

	private static Blob.Name name(InboundEmail email, String part) {
		return new Blob.Name(email.accountId(), email.id(), part);
	}

	UUID accountId() {
		return this.email.accountId();
	}

	Scope scope() {
		return Scope.of(accountId());
	}

	boolean isOutside(String part) {
		return parts().contains(part);
	}

	List<Blob.Name> names() {
		return this.outside.stream().map(Blob::name).toList();
	}

	List<String> parts() {
		return names().stream().map(Blob.Name::part).toList();
	}

}
