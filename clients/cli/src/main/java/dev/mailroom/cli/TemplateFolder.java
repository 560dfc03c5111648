package dev.mailroom.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.mailroom.sdk.Json;
import org.jspecify.annotations.Nullable;

/**
 * Templates in a folder, for git: for each one a folder with {@code meta.json} (name and
 * subject), {@code content.html} and {@code content.txt}. The HTML may also be made from
 * {@code content.mjml}, from {@code content.tsx} or by a layout, and the folders of
 * Postmark are understood. A lock file remembers what was equal to the server.
 */
final class TemplateFolder {

	private static final String META = "meta.json";

	private static final String HTML = "content.html";

	private static final String TEXT = "content.txt";

	private static final String MJML = "content.mjml";

	private static final List<String> REACT = List.of("content.tsx", "content.jsx");

	/** The place of the content in a layout, also in those of Postmark. */
	private static final Pattern PLACE = Pattern.compile("\\{\\{\\{\\s*@content\\s*}}}");

	/** Conditions, loops and unescaped values, which Postmark has. */
	private static final Pattern BLOCK = Pattern.compile("\\{\\{\\s*[#^/{&].*?}}");

	private static final String LOCK = "mailroom.lock.json";

	private final Path root;

	/** The names of folders with what was equal to the server. */
	private final Map<String, Locked> locked = new TreeMap<>();

	TemplateFolder(Path root) {
		this.root = root;
		Path file = root.resolve(LOCK);
		if (Files.exists(file) && json(file).at("templates").it() instanceof Map<?, ?> templates) {
			templates.forEach((name, lock) -> this.locked.put(String.valueOf(name), Locked.of(new Value(lock))));
		}
	}

	/** The templates of the folder by the name of their folder. */
	Map<String, Content> read() {
		try (Stream<Path> folders = Files.list(this.root)) {
			return read(folders.filter((it) -> Files.exists(it.resolve(META))).toList());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	Content read(String name) {
		Path folder = this.root.resolve(name);
		if (!Files.exists(folder.resolve(META))) {
			throw Failure.usage("There is no " + folder.resolve(META));
		}
		try {
			return read(List.of(folder)).values().iterator().next();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private Map<String, Content> read(List<Path> folders) throws IOException {
		Map<Path, TemplateSources.Made> made = TemplateSources.react(folders.stream()
			.flatMap((folder) -> REACT.stream().map(folder::resolve))
			.filter(Files::exists)
			.toList());
		Map<String, Content> contents = new TreeMap<>();
		for (Path folder : folders) {
			contents.put(String.valueOf(folder.getFileName()),
					content(folder,
							REACT.stream()
								.map((name) -> made.get(folder.resolve(name)))
								.filter(Objects::nonNull)
								.findFirst()
								.orElse(null)));
		}
		return contents;
	}

	private Content content(Path folder, TemplateSources.@Nullable Made made) throws IOException {
		Value meta = json(folder.resolve(META));
		Value name = either(meta, "name");
		if (name.absent()) {
			throw Failure.usage(folder.resolve(META) + " has no name");
		}
		String html = (made != null) ? made.html() : Files.exists(folder.resolve(MJML))
				? TemplateSources.mjml(folder.resolve(MJML)) : text(folder.resolve(HTML));
		String text = text(folder.resolve(TEXT));
		Path layout = layout(folder, meta);
		Content content = new Content(name.raw(),
				either(meta, "subject").absent() ? null : either(meta, "subject").raw(), within(layout, ".html", html),
				within(layout, ".txt", (text == null && made != null) ? made.text() : text));
		if (!meta.at("Name").absent()) {
			content.lines().stream().map(BLOCK::matcher).filter(Matcher::find).findFirst().ifPresent((block) -> {
				throw Failure.usage(folder + " has " + block.group() + ", which a template here cannot have");
			});
		}
		return content;
	}

	/** A field, which begins with a capital letter in files of Postmark. */
	private static Value either(Value meta, String name) {
		return meta.at(name).absent() ? meta.at(name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1))
				: meta.at(name);
	}

	/** The files of the layout without their endings; null if the template has none. */
	private @Nullable Path layout(Path folder, Value meta) {
		if (!meta.at("layout").absent()) {
			return folder.resolve(meta.at("layout").raw().replaceFirst("\\.html$", "")).normalize();
		}
		String alias = meta.at("LayoutTemplate").raw();
		return alias.isEmpty() ? null : this.root.resolve("_layouts").resolve(alias).resolve("content");
	}

	/** Puts a part into its layout, if it has one for that part. */
	private static @Nullable String within(@Nullable Path layout, String ending, @Nullable String part) {
		if (layout == null || part == null) {
			return part;
		}
		String around = text(Path.of(layout + ending));
		if (around == null && ending.equals(".html")) {
			throw Failure.usage("There is no layout " + layout + ending);
		}
		if (around != null && !PLACE.matcher(around).find()) {
			throw Failure.usage(layout + ending + " has no {{{@content}}}");
		}
		return (around != null) ? PLACE.matcher(around).replaceAll(Matcher.quoteReplacement(part)) : part;
	}

	/**
	 * Whether the HTML is made from another source, so that the server's cannot replace
	 * it.
	 */
	boolean isMade(String name) {
		Path folder = this.root.resolve(name);
		return Stream.concat(REACT.stream(), Stream.of(MJML)).anyMatch((it) -> Files.exists(folder.resolve(it)))
				|| layout(folder, json(folder.resolve(META))) != null;
	}

	private static Value json(Path file) {
		try {
			return new Value(Json.read(Files.readString(file)));
		}
		catch (IllegalArgumentException ex) {
			throw Failure.usage(file + ": " + ex.getMessage());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static @Nullable String text(Path file) {
		try {
			return Files.exists(file) ? Files.readString(file) : null;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	Optional<Locked> lock(String name) {
		return Optional.ofNullable(this.locked.get(name));
	}

	/** The folder of a template, which keeps its name when the template is renamed. */
	String folder(Value template) {
		for (Map.Entry<String, Locked> entry : this.locked.entrySet()) {
			if (entry.getValue().id().equals(template.at("id").raw())) {
				return entry.getKey();
			}
		}
		String slug = template.at("name").raw().toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N}]+", "-");
		String plain = slug.replaceAll("^-|-$", "");
		String name = plain.isEmpty() ? template.at("id").raw() : plain;
		return this.locked.containsKey(name) ? name + "-" + template.at("id").raw().substring(24) : name;
	}

	/** Writes a template as it is on the server. */
	void write(String name, Content content) {
		try {
			Path folder = Files.createDirectories(this.root.resolve(name));
			Map<String, @Nullable Object> meta = new LinkedHashMap<>();
			meta.put("name", content.name());
			meta.put("subject", content.subject());
			Files.writeString(folder.resolve(META), pretty(meta));
			write(folder.resolve(HTML), content.html());
			write(folder.resolve(TEXT), content.text());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static void write(Path file, @Nullable String text) throws IOException {
		if (text != null) {
			Files.writeString(file, text);
		}
		else {
			Files.deleteIfExists(file);
		}
	}

	/** Remembers that a folder is equal to the server. */
	void lock(String name, Value template) {
		this.locked.put(name,
				new Locked(template.at("id").raw(), template.at("updated_at").raw(), Content.of(template).digest()));
	}

	void save() {
		Map<String, Object> templates = new TreeMap<>();
		this.locked.forEach((name, lock) -> templates.put(name, lock.value()));
		try {
			Files.createDirectories(this.root);
			Files.writeString(this.root.resolve(LOCK), pretty(Map.of("templates", templates)));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** JSON with a line for each field, so that git shows differences. */
	private static String pretty(Map<String, ? extends @Nullable Object> fields) {
		StringBuilder out = new StringBuilder("{\n");
		int[] left = { fields.size() };
		fields.forEach((name, value) -> {
			left[0]--;
			out.append("  ").append(Json.write(name)).append(": ");
			if (value instanceof Map<?, ?> map) {
				out.append(map.entrySet()
					.stream()
					.map((entry) -> "\n    " + Json.write(entry.getKey()) + ": " + Json.write(entry.getValue()))
					.collect(Collectors.joining(",", "{", "\n  }")));
			}
			else {
				out.append(Json.write(value));
			}
			out.append((left[0] > 0) ? ",\n" : "\n");
		});
		return out.append("}\n").toString();
	}

	/** State that was equal to the server's. */
	record Locked(String id, String updatedAt, String digest) {

		static Locked of(Value value) {
			return new Locked(value.at("id").raw(), value.at("updated_at").raw(), value.at("hash").raw());
		}

		Map<String, Object> value() {
			Map<String, Object> value = new LinkedHashMap<>();
			value.put("id", this.id);
			value.put("updated_at", this.updatedAt);
			value.put("hash", this.digest);
			return value;
		}

	}

	/** The parts of a template. */
	record Content(String name, @Nullable String subject, @Nullable String html, @Nullable String text) {

		static Content of(Value template) {
			return new Content(template.at("name").raw(), text(template, "subject"), text(template, "html_content"),
					text(template, "text_content"));
		}

		private static @Nullable String text(Value template, String field) {
			return template.at(field).absent() ? null : template.at(field).raw();
		}

		/** The body of a request. */
		Map<String, @Nullable Object> body() {
			Map<String, @Nullable Object> body = new LinkedHashMap<>();
			body.put("name", this.name);
			body.put("subject", this.subject);
			body.put("html_content", this.html);
			body.put("text_content", this.text);
			return body;
		}

		String digest() {
			try {
				byte[] digest = MessageDigest.getInstance("SHA-256")
					.digest(Json.write(body()).getBytes(StandardCharsets.UTF_8));
				return HexFormat.of().formatHex(digest, 0, 16);
			}
			catch (NoSuchAlgorithmException ex) {
				throw new IllegalStateException("SHA-256 is part of every JDK", ex);
			}
		}

		/** The lines of all parts. */
		List<String> lines() {
			String all = "name: " + this.name + "\nsubject: " + ((this.subject != null) ? this.subject : "") + "\n"
					+ ((this.html != null) ? "--- html\n" + this.html : "") + "\n"
					+ ((this.text != null) ? "--- text\n" + this.text : "");
			return all.lines().toList();
		}

	}

}
