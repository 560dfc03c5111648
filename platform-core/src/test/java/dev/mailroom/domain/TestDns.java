package dev.mailroom.domain;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.xbill.DNS.AAAARecord;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.CAARecord;
import org.xbill.DNS.CNAMERecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.MXRecord;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.PTRRecord;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Resolver;
import org.xbill.DNS.Section;
import org.xbill.DNS.TLSARecord;
import org.xbill.DNS.TXTRecord;
import org.xbill.DNS.Type;

/**
 * Name server for tests, over UDP and TCP on loopback. Names without published records do
 * not exist, unless another source has records of them. Zones may be signed.
 */
public final class TestDns implements AutoCloseable {

	private static final int MAX_MESSAGE_BYTES = 4096;

	private final DatagramSocket socket;

	private final ServerSocket listener;

	private final SignedZones zones = new SignedZones();

	/** Source of all answers; null for the published records. */
	private final @Nullable Resolver upstream;

	private final Map<String, List<String>> records = new ConcurrentHashMap<>();

	/** Records that replace others once these were answered. */
	private final Map<String, List<String>> rebound = new ConcurrentHashMap<>();

	private final Set<String> failing = ConcurrentHashMap.newKeySet();

	private final Set<String> silent = ConcurrentHashMap.newKeySet();

	private final Set<String> asked = ConcurrentHashMap.newKeySet();

	private final AtomicInteger queries = new AtomicInteger();

	private final Function<Name, List<Record>> others;

	public TestDns() {
		this((_) -> List.of());
	}

	/**
	 * Starts a server.
	 * @param others source of the records of names without published ones
	 */
	public TestDns(Function<Name, List<Record>> others) {
		this(others, null, InetAddress.getLoopbackAddress(), 0);
	}

	/**
	 * Starts a server that answers as another resolver does, such as one that validates.
	 * @param port zero for any
	 */
	public TestDns(Resolver upstream, InetAddress address, int port) {
		this((_) -> List.of(), upstream, address, port);
	}

	private TestDns(Function<Name, List<Record>> others, @Nullable Resolver upstream, InetAddress address, int port) {
		this.others = others;
		this.upstream = upstream;
		try {
			// UDP takes the port that TCP was given: nothing else uses it there.
			this.listener = new ServerSocket(port, 50, address);
			this.socket = udp(this.listener);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		Thread.ofPlatform().daemon().start(this::serve);
		Thread.ofVirtual().start(this::accept);
	}

	private static DatagramSocket udp(ServerSocket tcp) throws IOException {
		try {
			return new DatagramSocket(tcp.getLocalPort(), tcp.getInetAddress());
		}
		catch (IOException ex) {
			tcp.close();
			throw ex;
		}
	}

	/**
	 * Look-ups at a name server.
	 * @param address its address in the form of the setting
	 */
	public static NameServers lookups(String address) {
		return new NameServers(new DomainSettings("platform.test", "mx.platform.test", "spf.platform.test",
				List.of(address), Duration.ZERO, Duration.ofHours(1), List.of(), false), (_) -> {
				});
	}

	/** Zones that are signed. */
	public SignedZones zones() {
		return this.zones;
	}

	/** Address in the form of the setting. */
	public String address() {
		return this.listener.getInetAddress().getHostAddress() + ":" + this.listener.getLocalPort();
	}

	/**
	 * Publishes records, which replace those of the same type and name. The value of an
	 * MX record is a host, or its preference and a host; the default preference is 10.
	 */
	public void publish(String type, String host, String... values) {
		this.records.put(type + " " + host, List.of(values));
		this.failing.removeAll(Set.of(host, type + " " + host));
		this.silent.remove(host);
	}

	/** Publishes an address and, once it was answered, another one in its place. */
	public void rebind(String type, String host, String first, String second) {
		publish(type, host, first);
		this.rebound.put(type + " " + host, List.of(second));
	}

	/** Removes the records of a name and type. */
	public void remove(String type, String host) {
		this.records.remove(type + " " + host);
	}

	/** Answers SERVFAIL for a name from now on. */
	public void fail(String host) {
		this.failing.add(host);
	}

	/** Answers SERVFAIL for a name and type from now on. */
	public void fail(String type, String host) {
		this.failing.add(type + " " + host);
	}

	/** Whether a query for records arrived. */
	public boolean wasAsked(String type, String host) {
		return this.asked.contains(type + " " + host);
	}

	/** Number of queries that arrived. */
	public int queries() {
		return this.queries.get();
	}

	/** Stops answering queries for a name. */
	public void silence(String host) {
		this.silent.add(host);
	}

	private void serve() {
		byte[] buffer = new byte[MAX_MESSAGE_BYTES];
		while (!this.socket.isClosed()) {
			try {
				DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
				this.socket.receive(packet);
				Message query = new Message(Arrays.copyOf(buffer, packet.getLength()));
				SocketAddress client = packet.getSocketAddress();
				if (this.upstream != null) {
					Thread.ofVirtual().start(() -> reply(query, client));
				}
				else {
					reply(query, client);
				}
			}
			catch (IOException _) {
				// The socket is closed, or the packet is not a query.
			}
		}
	}

	private void reply(Message query, SocketAddress client) {
		try {
			if (hears(query)) {
				OPTRecord options = query.getOPT();
				byte[] answer = answer(query).toWire(
						(options != null) ? Math.min(options.getPayloadSize(), MAX_MESSAGE_BYTES) : MAX_MESSAGE_BYTES);
				this.socket.send(new DatagramPacket(answer, answer.length, client));
			}
		}
		catch (IOException _) {
			// The socket is closed.
		}
	}

	private void accept() {
		while (!this.listener.isClosed()) {
			try {
				Socket client = this.listener.accept();
				Thread.ofVirtual().start(() -> converse(client));
			}
			catch (IOException _) {
				// The socket is closed.
			}
		}
	}

	private void converse(Socket client) {
		try (client) {
			DataInputStream in = new DataInputStream(client.getInputStream());
			DataOutputStream out = new DataOutputStream(client.getOutputStream());
			while (true) {
				Message query = new Message(in.readNBytes(in.readUnsignedShort()));
				if (hears(query)) {
					byte[] answer = answer(query).toWire(Message.MAXLENGTH);
					out.writeShort(answer.length);
					out.write(answer);
					out.flush();
				}
			}
		}
		catch (IOException _) {
			// The client has closed the connection.
		}
	}

	private boolean hears(Message query) {
		this.queries.incrementAndGet();
		this.asked.add(Type.string(query.getQuestion().getType()) + " " + host(query));
		return !this.silent.contains(host(query));
	}

	private Message answer(Message query) throws IOException {
		Message answer = new Message(query.getHeader().getID());
		answer.getHeader().setFlag(Flags.QR);
		answer.getHeader().setFlag(Flags.RD);
		answer.getHeader().setFlag(Flags.RA);
		answer.addRecord(query.getQuestion(), Section.QUESTION);
		String host = host(query);
		String type = Type.string(query.getQuestion().getType());
		if (this.failing.contains(host) || this.failing.contains(type + " " + host)) {
			answer.getHeader().setRcode(Rcode.SERVFAIL);
			return answer;
		}
		if (this.upstream != null) {
			return forward(query, answer);
		}
		addRecords(query.getQuestion(), answer, host, type);
		this.zones.sign(query, answer, this::types);
		return answer;
	}

	/** Answers with the records and flags of the other resolver. */
	private Message forward(Message query, Message answer) throws IOException {
		Message found = Objects.requireNonNull(this.upstream).send(Message.newQuery(query.getQuestion()));
		answer.getHeader().setRcode(found.getRcode());
		if (found.getHeader().getFlag(Flags.AD)) {
			answer.getHeader().setFlag(Flags.AD);
		}
		for (int section : new int[] { Section.ANSWER, Section.AUTHORITY }) {
			found.getSection(section)
				.stream()
				.filter((record) -> record.getType() != Type.RRSIG && record.getType() != Type.NSEC)
				.forEach((record) -> answer.addRecord(record, section));
		}
		return answer;
	}

	/** Adds records of a name, also those of the names to which an alias leads. */
	private void addRecords(Record question, Message answer, String host, String type) throws IOException {
		List<String> values = this.records.getOrDefault(type + " " + host, List.of());
		for (String target : this.records.getOrDefault("CNAME " + host, List.of())) {
			Name name = Name.fromString(target + ".");
			answer.addRecord(new CNAMERecord(question.getName(), DClass.IN, 1, name), Section.ANSWER);
			if (!type.equals("CNAME") && answer.getSection(Section.ANSWER).size() < 8
					&& !this.failing.contains(target)) {
				addRecords(Record.newRecord(name, question.getType(), DClass.IN), answer, target, type);
			}
		}
		List<String> next = this.rebound.remove(type + " " + host);
		if (next != null) {
			this.records.put(type + " " + host, next);
		}
		if (this.records.keySet().stream().noneMatch((key) -> key.endsWith(" " + host))) {
			addOthers(question, answer);
		}
		for (String value : type.equals("CNAME") ? List.<String>of() : values) {
			answer.addRecord(record(question.getName(), type, value), Section.ANSWER);
		}
	}

	/** Types of the published records of a name. */
	private List<Integer> types(Name name) {
		String end = " " + name.toString(true).toLowerCase(Locale.ROOT);
		return this.records.entrySet()
			.stream()
			.filter((entry) -> entry.getKey().endsWith(end) && !entry.getValue().isEmpty())
			.map((entry) -> Type.value(entry.getKey().substring(0, entry.getKey().length() - end.length())))
			.toList();
	}

	private void addOthers(Record question, Message answer) {
		List<Record> found = this.others.apply(question.getName());
		if (found.isEmpty()) {
			answer.getHeader().setRcode(Rcode.NXDOMAIN);
		}
		found.stream()
			.filter((record) -> record.getType() == question.getType())
			.forEach((record) -> answer.addRecord(record, Section.ANSWER));
	}

	private static Record record(Name name, String type, String value) throws IOException {
		if (type.equals("MX")) {
			String[] words = ("10 " + value).split(" ", -1);
			String target = words[words.length - 1];
			return new MXRecord(name, DClass.IN, 1, Integer.parseInt(words[words.length - 2]),
					target.equals(".") ? Name.root : Name.fromString(target + "."));
		}
		if (type.equals("A")) {
			return new ARecord(name, DClass.IN, 1, InetAddress.ofLiteral(value));
		}
		if (type.equals("AAAA")) {
			return new AAAARecord(name, DClass.IN, 1, InetAddress.ofLiteral(value));
		}
		if (type.equals("CAA")) {
			String[] words = value.split(" ", 3);
			return new CAARecord(name, DClass.IN, 1, Integer.parseInt(words[0]), words[1], words[2]);
		}
		if (type.equals("TLSA")) {
			String[] words = value.split(" ", 4);
			return new TLSARecord(name, DClass.IN, 1, Integer.parseInt(words[0]), Integer.parseInt(words[1]),
					Integer.parseInt(words[2]), HexFormat.of().parseHex(words[3]));
		}
		if (type.equals("PTR")) {
			return new PTRRecord(name, DClass.IN, 1, Name.fromString(value + "."));
		}
		// A string of a TXT record holds at most 255 bytes.
		List<String> strings = new ArrayList<>();
		for (int from = 0; from < value.length(); from += 200) {
			strings.add(value.substring(from, Math.min(value.length(), from + 200)));
		}
		return new TXTRecord(name, DClass.IN, 1, strings);
	}

	private static String host(Message query) {
		return query.getQuestion().getName().toString(true).toLowerCase(Locale.ROOT);
	}

	@Override
	public void close() {
		this.socket.close();
		try {
			this.listener.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
