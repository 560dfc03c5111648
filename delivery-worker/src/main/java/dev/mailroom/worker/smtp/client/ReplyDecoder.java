package dev.mailroom.worker.smtp.client;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import dev.mailroom.worker.smtp.client.Conversation.Reply;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.TooLongFrameException;
import io.netty.handler.codec.DecoderException;
import org.jspecify.annotations.Nullable;

/**
 * Reads replies (RFC 5321 section 4.2). The text is optional. The first digit decides
 * what a reply means (section 4.2.1), so a first line without a complete code is read as
 * well. Used instead of Netty's decoder, which fails on a reply without text.
 */
final class ReplyDecoder extends ByteToMessageDecoder {

	private static final int MAX_LINE_LENGTH = 8192;

	/** Limit on all lines of a reply together. */
	private static final int MAX_LENGTH = 65_536;

	private static final int CODE_LENGTH = 3;

	private final List<String> lines = new ArrayList<>();

	/** Code of the reply that is being read; 0 if none has begun. */
	private int code;

	private int length;

	@Override
	protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
		int end = in.bytesBefore((byte) '\n');
		if (Math.max(end, (end < 0) ? in.readableBytes() : 0) > MAX_LINE_LENGTH) {
			throw new TooLongFrameException("A line of the reply exceeds " + MAX_LINE_LENGTH + " bytes");
		}
		if (end < 0) {
			return;
		}
		String line = in.toString(in.readerIndex(), end, StandardCharsets.UTF_8);
		in.skipBytes(end + 1);
		this.length += end + 1;
		if (this.length > MAX_LENGTH) {
			throw new TooLongFrameException("The reply exceeds " + MAX_LENGTH + " bytes");
		}
		if (isLast(line.endsWith("\r") ? line.substring(0, line.length() - 1) : line)) {
			out.add(new Reply(this.code, List.copyOf(this.lines)));
			this.lines.clear();
			this.code = 0;
			this.length = 0;
		}
	}

	/** A last line may end with the connection instead of CRLF. */
	@Override
	protected void decodeLast(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
		if (in.isReadable()) {
			begin(in.toString(StandardCharsets.UTF_8));
			in.skipBytes(in.readableBytes());
		}
	}

	/**
	 * The reply of which only a part was received; null if none has begun. Used on the
	 * event loop only.
	 */
	@Nullable Reply begun() {
		if (this.code == 0 && internalBuffer().isReadable()) {
			begin(internalBuffer().toString(StandardCharsets.UTF_8));
		}
		return (this.code != 0) ? new Reply(this.code, List.copyOf(this.lines)) : null;
	}

	/**
	 * Adds a line; whether it ends the reply. Lines without a code between the first and
	 * the last are text.
	 */
	private boolean isLast(String line) {
		boolean first = this.code == 0;
		boolean coded = codeLength(line) == CODE_LENGTH;
		if (first) {
			begin(line);
			if (this.code == 0) {
				throw new DecoderException("The server sent a line that is no reply");
			}
		}
		else {
			this.code = coded ? Integer.parseInt(line, 0, CODE_LENGTH, 10) : this.code;
			this.lines.add(coded ? text(line, CODE_LENGTH) : line);
		}
		return coded ? !line.startsWith("-", CODE_LENGTH) : first;
	}

	/** Begins a reply if the line has at least the first digit of a code. */
	private void begin(String line) {
		int digits = codeLength(line);
		if (this.code == 0 && digits > 0) {
			this.code = (digits == CODE_LENGTH) ? Integer.parseInt(line, 0, CODE_LENGTH, 10)
					: Character.digit(line.charAt(0), 10) * 100;
			this.lines.add(text(line, digits));
		}
	}

	/**
	 * Number of digits of a code at the beginning, up to three; 0 without a valid one.
	 */
	private static int codeLength(String line) {
		if (line.isEmpty() || line.charAt(0) < '2' || line.charAt(0) > '5') {
			return 0;
		}
		int digits = 1;
		while (digits < CODE_LENGTH && digits < line.length() && line.charAt(digits) >= '0'
				&& line.charAt(digits) <= '9') {
			digits++;
		}
		return digits;
	}

	/** Text after the code and its separator. */
	private static String text(String line, int codeLength) {
		boolean separated = line.startsWith(" ", codeLength) || line.startsWith("-", codeLength);
		return line.substring(separated ? codeLength + 1 : codeLength);
	}

}
