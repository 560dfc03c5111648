package dev.mailroom.system;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.SocketException;
import java.util.Arrays;
import java.util.Map;

import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.TXTRecord;
import org.xbill.DNS.Type;

/** A DNS server (RFC 1035) with TXT records; no other names exist. */
final class NameServer implements AutoCloseable {

	private static final int MAX_QUERY_BYTES = 4096;

	private static final int TTL = 60;

	private final Map<String, String> texts;

	private final DatagramSocket socket;

	/**
	 * Starts a server on a free port.
	 * @param texts values of the TXT records by name, without the final dot
	 */
	NameServer(Map<String, String> texts) throws IOException {
		this.texts = texts;
		this.socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());
		Thread.ofVirtual().start(this::serve);
	}

	/** The address, as host:port. */
	String address() {
		return "127.0.0.1:" + this.socket.getLocalPort();
	}

	private void serve() {
		try {
			while (!this.socket.isClosed()) {
				DatagramPacket query = new DatagramPacket(new byte[MAX_QUERY_BYTES], MAX_QUERY_BYTES);
				this.socket.receive(query);
				byte[] answer = answer(new Message(Arrays.copyOf(query.getData(), query.getLength())));
				this.socket.send(new DatagramPacket(answer, answer.length, query.getSocketAddress()));
			}
		}
		catch (SocketException _) {
			// The server was closed.
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private byte[] answer(Message query) {
		Record question = query.getQuestion();
		Message answer = new Message(query.getHeader().getID());
		answer.getHeader().setFlag(Flags.QR);
		answer.getHeader().setFlag(Flags.AA);
		answer.addRecord(question, Section.QUESTION);
		String text = this.texts.get(question.getName().toString(true));
		if (text == null) {
			answer.getHeader().setRcode(Rcode.NXDOMAIN);
		}
		else if (question.getType() == Type.TXT) {
			answer.addRecord(new TXTRecord(question.getName(), DClass.IN, TTL, text), Section.ANSWER);
		}
		return answer.toWire();
	}

	@Override
	public void close() {
		this.socket.close();
	}

}
