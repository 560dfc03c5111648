package dev.mailroom.worker.submission;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

import jakarta.mail.MessagingException;
import jakarta.mail.Multipart;
import jakarta.mail.Part;
import jakarta.mail.internet.MimeBodyPart;
import jakarta.mail.internet.MimeMultipart;
import jakarta.mail.util.SharedByteArrayInputStream;

/**
 * Reads one mail's headers and parts within bounds: the library keeps each line of them
 * as objects of many times its length, and knows no end.
 */
final class MultipartReader {

	private static final int MOST_PARTS = 200;

	/** Of one header: more than any mail has to say of itself. */
	private static final int LONGEST_HEADER = 100_000;

	private static final String END = "\r\n\r\n";

	private int parts;

	/**
	 * A message's bytes, to be read without a copy for every level of it.
	 * @throws MessagingException where its header goes on for too long
	 */
	static InputStream message(byte[] content) throws MessagingException {
		SharedByteArrayInputStream shared = new SharedByteArrayInputStream(content);
		refuseEndlessHeader(shared.newStream(0, -1));
		return shared;
	}

	/** The parts of a part, of which the mail may have only so many. */
	Multipart of(Part part) throws MessagingException {
		return new Bounded(part);
	}

	private static void refuseEndlessHeader(InputStream in) throws MessagingException {
		try (in) {
			byte[] begin = in.readNBytes(LONGEST_HEADER);
			if (begin.length == LONGEST_HEADER && !new String(begin, StandardCharsets.ISO_8859_1).contains(END)
					&& begin[0] != '\r') {
				throw new MessagingException("a header is longer than " + LONGEST_HEADER + " bytes");
			}
		}
		catch (IOException ex) {
			throw new MessagingException("a header cannot be read", ex);
		}
	}

	private final class Bounded extends MimeMultipart {

		Bounded(Part part) throws MessagingException {
			super(part.getDataHandler().getDataSource());
		}

		@Override
		protected MimeBodyPart createMimeBodyPart(InputStream in) throws MessagingException {
			if (++MultipartReader.this.parts > MOST_PARTS) {
				throw new MessagingException("it has more than " + MOST_PARTS + " parts");
			}
			if (in instanceof SharedByteArrayInputStream shared) {
				refuseEndlessHeader(shared.newStream(0, -1));
			}
			return super.createMimeBodyPart(in);
		}

	}

}
