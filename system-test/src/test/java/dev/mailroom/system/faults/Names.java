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
 * A name server that knows a mail server for every domain, each on a loopback address of
 * its own: two of the scripted server's, and one that is Postfix's where there is one.
 */
final class Names implements AutoCloseable {

	private static final int LARGEST = 4096;

	private static final int SECONDS = 60;

	private final DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());

	Names() throws IOException {
		Thread.ofPlatform().daemon().name("names").start(this::serve);
	}

	/** Its address, as the setting has it. */
	String address() {
		return "127.0.0.1:" + this.socket.getLocalPort();
	}

	private void serve() {
		byte[] buffer = new byte[LARGEST];
		while (!this.socket.isClosed()) {
			try {
				DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
				this.socket.receive(packet);
				byte[] answer = answer(new Message(Arrays.copyOf(buffer, packet.getLength()))).toWire(LARGEST);
				this.socket.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
			}
			catch (IOException _) {
				// Closed, or no query.
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
			answer.addRecord(new MXRecord(name, DClass.IN, SECONDS, 10, Name.concatenate(new Name("mx"), name)),
					Section.ANSWER);
		}
		else if (question.getType() == Type.A) {
			answer.addRecord(new ARecord(name, DClass.IN, SECONDS, InetAddress.getByName(host(name))), Section.ANSWER);
		}
		return answer;
	}

	private static String host(Name server) {
		return Manner.of("@" + new Name(server, 1).toString(true)).host();
	}

	@Override
	public void close() {
		this.socket.close();
	}

}
