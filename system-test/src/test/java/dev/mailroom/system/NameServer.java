package dev.mailroom.system;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import org.xbill.DNS.Flags;
import org.xbill.DNS.Master;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;

/**
 * A DNS server (RFC 1035) with the records of the zone files in a directory, which are
 * read for each query; no other names exist.
 */
final class NameServer implements AutoCloseable {

	private static final int MAX_QUERY_BYTES = 4096;

	private final Path zones;

	private final DatagramSocket socket;

	/**
	 * Starts a server on a free port.
	 * @param zones directory of files whose names end with .zone
	 */
	NameServer(Path zones) throws IOException {
		this.zones = zones;
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

	private byte[] answer(Message query) throws IOException {
		Record question = query.getQuestion();
		Message answer = new Message(query.getHeader().getID());
		answer.getHeader().setFlag(Flags.QR);
		answer.getHeader().setFlag(Flags.AA);
		answer.addRecord(question, Section.QUESTION);
		List<Record> records = records(question.getName());
		if (records.isEmpty()) {
			answer.getHeader().setRcode(Rcode.NXDOMAIN);
		}
		records.stream()
			.filter((record) -> record.getType() == question.getType())
			.forEach((record) -> answer.addRecord(record, Section.ANSWER));
		return answer.toWire();
	}

	private List<Record> records(Name name) throws IOException {
		List<Path> files;
		try (Stream<Path> all = Files.list(this.zones)) {
			files = all.filter((file) -> file.toString().endsWith(".zone")).toList();
		}
		List<Record> records = new ArrayList<>();
		for (Path file : files) {
			try (Master master = new Master(file.toString(), Name.root)) {
				for (Record record = master.nextRecord(); record != null; record = master.nextRecord()) {
					if (record.getName().equals(name)) {
						records.add(record);
					}
				}
			}
		}
		return records;
	}

	@Override
	public void close() {
		this.socket.close();
	}

}
