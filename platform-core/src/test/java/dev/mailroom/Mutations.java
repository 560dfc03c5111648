package dev.mailroom;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Short fuzzing in ordinary test runs, where Jazzer only replays the corpus: inputs are
 * derived from the same corpus by a random generator with a fixed seed. The number of
 * executions is multiplied by {@code -Dfuzz.factor}, and {@code -Dfuzz.seed} changes the
 * inputs.
 */
public final class Mutations {

	private static final int MAX_LENGTH = 16 * 1024;

	/** CPU time of one execution, far above that of any input of this length. */
	private static final Duration MAX_TIME = Duration.ofSeconds(10);

	/** Bytes that have a meaning in mail, SMTP, CSV, JSON or templates. */
	private static final List<String> WORDS = List.of("\r\n", "\n", "\r", "\0", " ", "\t", "\r\n ", "\r\n\r\n",
			"\r\n.\r\n", "\r\n.", ".\r\n", "\"", "\\", "\"\"", "<", ">", "@", ",", ";", ":", "=", "(", ")", "[", "]",
			"{", "}", "{{", "}}", "|", "--b\r\n", "--b--\r\n", "=?UTF-8?B?w7w=?=", "=?iso-2022-jp?Q?", "?=", "=0D=0A",
			"%0d%0a", "\u00fc", "\u0085", "\u2028", "\u202e", "\ud83c\udf89", "\ufeff", "Content-Type: ",
			"multipart/mixed; boundary=b", "message/rfc822", "text/html; charset=", "utf-16", "utf-7",
			"filename*0*=UTF-8''", "base64", "quoted-printable", "Subject: ", "From: ", "true", "null", "-1", "1e999",
			"\\u0000", "\\ud800", "a@b.test");

	private final List<byte[]> corpus;

	private final Random random;

	private Mutations(List<byte[]> corpus, long seed) {
		this.corpus = corpus;
		this.random = new Random(seed);
	}

	/**
	 * Checks inputs that are derived from the corpus of a fuzz test.
	 * @param test the class of the fuzz test
	 * @param target the method of the fuzz test, which names the folder of its corpus
	 */
	public static void check(Class<?> test, String target, int executions, Consumer<byte[]> check) {
		Mutations mutations = new Mutations(corpus(test, target), Long.getLong("fuzz.seed", 7));
		long total = (long) executions * Integer.getInteger("fuzz.factor", 1);
		for (long execution = 0; execution < total; execution++) {
			byte[] input = mutations.next();
			long begin = cpuTime();
			try {
				check.accept(input.clone());
			}
			catch (Throwable error) {
				throw new AssertionError(description(target, execution, input), error);
			}
			if (cpuTime() - begin > MAX_TIME.toNanos()) {
				throw new AssertionError("Too slow: " + description(target, execution, input));
			}
		}
	}

	private static long cpuTime() {
		return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
	}

	private static String description(String target, long execution, byte[] input) {
		return target + ", execution " + execution + ", base64 " + Base64.getEncoder().encodeToString(input) + "\n"
				+ new String(input, StandardCharsets.UTF_8);
	}

	private static List<byte[]> corpus(Class<?> test, String target) {
		String folder = test.getSimpleName() + "Inputs/" + target;
		URL url = Objects.requireNonNull(test.getResource(folder), folder);
		try (Stream<Path> files = Files.list(Path.of(url.toURI()))) {
			List<byte[]> corpus = new ArrayList<>();
			for (Path file : files.sorted().toList()) {
				corpus.add(Files.readAllBytes(file));
			}
			return corpus;
		}
		catch (IOException | URISyntaxException ex) {
			throw new IllegalStateException(folder, ex);
		}
	}

	private byte[] next() {
		byte[] input = seed();
		for (int changes = 1 + this.random.nextInt(6); changes > 0; changes--) {
			input = changed(input);
		}
		return (input.length > MAX_LENGTH) ? Arrays.copyOf(input, MAX_LENGTH) : input;
	}

	private byte[] seed() {
		return this.corpus.get(this.random.nextInt(this.corpus.size()));
	}

	private byte[] changed(byte[] input) {
		int from = this.random.nextInt(input.length + 1);
		int to = Math.min(input.length, from + this.random.nextInt(1 + (this.random.nextBoolean() ? 4 : 200)));
		return switch (this.random.nextInt(8)) {
			case 0 -> joined(input, from, new byte[0], to);
			case 1 ->
				joined(input, from, new byte[] { (byte) this.random.nextInt(256) }, Math.min(input.length, from + 1));
			case 2 -> joined(input, to, Arrays.copyOfRange(input, from, to), to);
			case 3 -> joined(input, from, part(seed()), to);
			case 4 -> joined(input, from, repeated(word()), from);
			default -> joined(input, from, word(), this.random.nextBoolean() ? from : to);
		};
	}

	private byte[] word() {
		return WORDS.get(this.random.nextInt(WORDS.size())).getBytes(StandardCharsets.UTF_8);
	}

	private byte[] repeated(byte[] word) {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		for (int count = this.random.nextInt(400); count > 0; count--) {
			out.writeBytes(word);
		}
		return out.toByteArray();
	}

	private byte[] part(byte[] input) {
		int from = this.random.nextInt(input.length + 1);
		return Arrays.copyOfRange(input, from, from + this.random.nextInt(input.length - from + 1));
	}

	/** The input with the bytes between two positions replaced. */
	private static byte[] joined(byte[] input, int from, byte[] replacement, int to) {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		out.write(input, 0, from);
		out.writeBytes(replacement);
		out.write(input, to, input.length - to);
		return out.toByteArray();
	}

}
