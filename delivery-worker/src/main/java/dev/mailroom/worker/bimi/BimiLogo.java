package dev.mailroom.worker.bimi;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;

import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

import dev.mailroom.readiness.BimiRecord.Problem;

/**
 * Rules for logos: SVG Tiny Portable/Secure, a profile without scripts and references.
 */
final class BimiLogo {

	/** Size at most, also once it is unpacked. */
	static final int MAX_BYTES = 32 * 1024;

	private static final String SVG = "http://www.w3.org/2000/svg";

	/** Elements that the profile excludes; animations are of SVG Tiny. */
	private static final Set<String> EXCLUDED = Set.of("a", "animate", "animatecolor", "animatemotion",
			"animatetransform", "audio", "discard", "foreignobject", "handler", "image", "listener", "script", "set",
			"switch", "video");

	/** References to anything but the logo's own elements, in attributes and styles. */
	private static final Pattern EXTERNAL = Pattern.compile("url\\(\\s*['\"]?\\s*[^#'\"\\s]|@import",
			Pattern.CASE_INSENSITIVE);

	private static final XMLInputFactory FACTORY = factory();

	private final Set<String> faults = new LinkedHashSet<>();

	private boolean titled;

	private BimiLogo() {
	}

	/** The problems with a logo, which may be compressed (gzip). */
	static List<Problem> check(byte[] file) {
		BimiLogo logo = new BimiLogo();
		boolean packed = file.length > 1 && file[0] == 0x1f && file[1] == (byte) 0x8b;
		try (InputStream bytes = packed ? new GZIPInputStream(new ByteArrayInputStream(file))
				: new ByteArrayInputStream(file)) {
			byte[] svg = bytes.readNBytes(MAX_BYTES + 1);
			if (svg.length > MAX_BYTES) {
				logo.faults.add("has more than 32 KB");
			}
			else {
				logo.read(svg);
			}
		}
		catch (IOException _) {
			logo.faults.add("is damaged");
		}
		catch (XMLStreamException _) {
			logo.faults.add("is no well-formed XML");
		}
		return logo.faults.isEmpty() ? List.of() : List
			.of(new Problem("The logo " + String.join(", ", logo.faults) + ".",
					"Export it as SVG Tiny PS: at most 32 KB, with a title, without scripts, animations, images and "
							+ "references to other files."));
	}

	private static XMLInputFactory factory() {
		XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
		factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
		factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
		factory.setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, false);
		return factory;
	}

	private void read(byte[] bytes) throws XMLStreamException {
		XMLStreamReader xml = FACTORY.createXMLStreamReader(new ByteArrayInputStream(bytes));
		int depth = 0;
		boolean title = false;
		while (xml.hasNext()) {
			switch (xml.next()) {
				case XMLStreamConstants.DTD, XMLStreamConstants.ENTITY_REFERENCE ->
					this.faults.add("has a document type or an entity");
				case XMLStreamConstants.START_ELEMENT -> {
					begin(xml, depth++);
					title = depth == 2 && xml.getLocalName().equals("title");
				}
				case XMLStreamConstants.END_ELEMENT -> {
					depth--;
					title = false;
				}
				case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA -> {
					this.titled |= title && !xml.getText().isBlank();
					refuseReferences(xml.getText());
				}
				default -> {
				}
			}
		}
		if (!this.titled) {
			this.faults.add("has no title");
		}
	}

	private void begin(XMLStreamReader xml, int depth) {
		String name = xml.getLocalName();
		if (depth == 0) {
			if (!name.equals("svg") || !SVG.equals(xml.getNamespaceURI())) {
				this.faults.add("is no SVG");
			}
			if (!"tiny-ps".equals(xml.getAttributeValue(null, "baseProfile"))
					|| !"1.2".equals(xml.getAttributeValue(null, "version"))) {
				this.faults.add("does not state version=\"1.2\" baseProfile=\"tiny-ps\"");
			}
		}
		if (EXCLUDED.contains(name.toLowerCase(Locale.ROOT))) {
			this.faults.add("has the element " + name.toLowerCase(Locale.ROOT));
		}
		for (int i = 0; i < xml.getAttributeCount(); i++) {
			String attribute = xml.getAttributeLocalName(i).toLowerCase(Locale.ROOT);
			String value = xml.getAttributeValue(i).strip();
			if (attribute.equals("href") && !value.startsWith("#")) {
				this.faults.add("refers to another file");
			}
			if (attribute.startsWith("on")) {
				this.faults.add("has a script in the attribute " + attribute);
			}
			refuseReferences(value);
		}
	}

	private void refuseReferences(String text) {
		if (EXTERNAL.matcher(text).find()) {
			this.faults.add("refers to another file");
		}
	}

}
