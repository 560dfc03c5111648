package dev.mailroom.system.faults;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.util.Arrays;

import org.xbill.DNS.ARecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.MXRecord;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/**
 * A DNS server with an MX record for every domain. The mail servers have loopback
 * addresses: two of the scripted server, and one of Postfix if it is installed.
 */
final class NameServer implements AutoCloseable {

	private static final int MAX_BYTES = 4096;

	private static final int TTL_SECONDS = 60;

	private final DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());

	NameServer() throws IOException {
		Thread.ofPlatform().daemon().name("names").start(this::serve);
	}

	/** The address in the form of the setting. */
	String address() {
		return "127.0.0.1:" + this.socket.getLocalPort();
	}

	private void serve() {
		byte[] buffer = new byte[MAX_BYTES];
		while (!this.socket.isClosed()) {
			try {
				DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
				this.socket.receive(packet);
				byte[] answer = answer(new Message(Arrays.copyOf(buffer, packet.getLength()))).toWire(MAX_BYTES);
				this.socket.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
			}
			catch (IOException _) {
				// The socket was closed, or the packet is not a query.
			}
		}
	}

	private static Message answer(Message query) throws IOException {
		Message answer = new Message(query.getHeader().getID());
		answer.getHeader().setFlag(Flags.QR);
		answer.getHeader().setFlag(Flags.RA);
		Record question = query.getQuestion();
		answer.addRecord(question, Section.QUESTION);
		Name name = question.getName();
		if (question.getType() == Type.MX) {
			answer.addRecord(new MXRecord(name, DClass.IN, TTL_SECONDS, 10, Name.concatenate(new Name("mx"), name)),
					Section.ANSWER);
		}
		else if (question.getType() == Type.A) {
			answer.addRecord(new ARecord(name, DClass.IN, TTL_SECONDS, InetAddress.getByName(host(name))),
					Section.ANSWER);
		}
		return answer;
	}

	private static String host(Name server) {
		return Behavior.of("@" + new Name(server, 1).toString(true)).host();
	}

	@Override
	public void close() {
		this.socket.close();
	}

}
