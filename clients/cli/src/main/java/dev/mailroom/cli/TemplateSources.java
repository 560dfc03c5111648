package dev.mailroom.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import ch.digitalfondue.mjml4j.Mjml4j;
import dev.mailroom.sdk.Json;

/**
 * Makes the HTML of templates that are written in MJML, or as components of React Email,
 * which are rendered by the Node and the packages of their own project.
 */
final class TemplateSources {

	private static final String SCRIPT = "react-email.cjs";

	/** Files that cannot be included, and unknown elements. */
	private static final Pattern LEFT = Pattern.compile("mj-include fails to read file : \\S+|</?mj-[\\w-]+");

	private TemplateSources() {
	}

	/** Renders MJML. The paths of included files are relative to the file. */
	static String mjml(Path file) throws IOException {
		Mjml4j.IncludeResolver files = new Mjml4j.FileSystemResolver(file.toAbsolutePath().getParent()) {
			@Override
			public void checkAccess(Path included, Path folder) {
				// The file belongs to the person who includes another.
			}
		};
		String html;
		try {
			html = Mjml4j.render(Files.readString(file),
					new Mjml4j.Configuration("und", Mjml4j.TextDirection.AUTO, files));
		}
		catch (RuntimeException ex) {
			throw Failure.usage(file + ": " + ex.getMessage());
		}
		Matcher left = LEFT.matcher(html);
		if (left.find()) {
			throw Failure.usage(file + ": not rendered: " + left.group());
		}
		return html;
	}

	/** Renders components by their file, with one start of Node. */
	static Map<Path, Made> react(List<Path> files) {
		Map<Path, Made> all = new HashMap<>();
		if (files.isEmpty()) {
			return all;
		}
		List<Value> results = new Value(Json.read(node(files))).list();
		for (int i = 0; i < files.size(); i++) {
			Value result = results.get(i);
			if (!result.at("error").absent()) {
				throw Failure.usage(files.get(i) + ": " + Output.clean(result.at("error").raw()));
			}
			all.put(files.get(i), new Made(result.at("html").raw(), result.at("text").raw()));
		}
		return all;
	}

	/** The output of the script, which Node reads from its standard input. */
	private static String node(List<Path> files) {
		List<String> command = new ArrayList<>(List.of("node", "-"));
		files.forEach((file) -> command.add(file.toAbsolutePath().normalize().toString()));
		Process node;
		try {
			node = new ProcessBuilder(command).start();
		}
		catch (IOException ex) {
			throw Failure.usage(files.get(0) + " needs Node, which is not on the path");
		}
		try (InputStream script = Objects.requireNonNull(TemplateSources.class.getResourceAsStream(SCRIPT));
				OutputStream in = node.getOutputStream()) {
			script.transferTo(in);
			in.close();
			String output = new String(node.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
			String errors = new String(node.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
			if (node.waitFor() != 0 || output.isEmpty()) {
				throw Failure.usage("Node failed: " + Output.clean(errors));
			}
			return output;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			node.destroy();
			Thread.currentThread().interrupt();
			throw new Failure(Failure.USAGE, "interrupted", "Interrupted");
		}
	}

	/** The parts of a rendered template. */
	record Made(String html, String text) {
	}

}
