package dev.mailroom.worker.smtp.server;

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
 * Bounds the size of headers and the number of parts while a message is read: the mail
 * library has no such limits, and its objects take many times the size of the text.
 */
final class MultipartReader {

	private static final int MAX_PARTS = 200;

	/** Bytes of the header section of a message or a part. */
	private static final int MAX_HEADER_LENGTH = 100_000;

	private static final String HEADER_END = "\r\n\r\n";

	private int partCount;

	/**
	 * A message's bytes as a stream that its parts share without copying.
	 * @throws MessagingException if its header is too long
	 */
	static InputStream message(byte[] content) throws MessagingException {
		SharedByteArrayInputStream shared = new SharedByteArrayInputStream(content);
		checkHeaderLength(shared.newStream(0, -1));
		return shared;
	}

	/** The parts of a part. */
	Multipart parts(Part part) throws MessagingException {
		return new BoundedMultipart(part);
	}

	private static void checkHeaderLength(InputStream in) throws MessagingException {
		try (in) {
			byte[] start = in.readNBytes(MAX_HEADER_LENGTH);
			if (start.length == MAX_HEADER_LENGTH
					&& !new String(start, StandardCharsets.ISO_8859_1).contains(HEADER_END) && start[0] != '\r') {
				throw new MessagingException("a header is longer than " + MAX_HEADER_LENGTH + " bytes");
			}
		}
		catch (IOException ex) {
			throw new MessagingException("a header cannot be read", ex);
		}
	}

	private final class BoundedMultipart extends MimeMultipart {

		BoundedMultipart(Part part) throws MessagingException {
			super(part.getDataHandler().getDataSource());
		}

		@Override
		protected MimeBodyPart createMimeBodyPart(InputStream in) throws MessagingException {
			if (++MultipartReader.this.partCount > MAX_PARTS) {
				throw new MessagingException("it has more than " + MAX_PARTS + " parts");
			}
			if (in instanceof SharedByteArrayInputStream shared) {
				checkHeaderLength(shared.newStream(0, -1));
			}
			return super.createMimeBodyPart(in);
		}

	}

}
