"""Attacks by OpenVINO models."""

from __future__ import annotations

from . import INPUT, LOWERED, UNSUPPORTED, Attack, Content, device, link, odd, pipe, second_name

PORT = '<port id="0" precision="FP32"><dim>4</dim></port>'
BARE = '<port id="0"><dim>4</dim></port>'
INPUTS = f"<input>{BARE}</input>"
OUTPUTS = f"<output>{PORT}</output>"


def layer(id: object, type: str, data: str = "", ports: str = "", name: object = None) -> str:
    """A layer; ``data`` are its attributes."""
    given = f"<data {data}/>" if data else ""
    name = f"l{id}" if name is None else name
    return f'<layer id="{id}" name="{name}" type="{type}" version="opset1">{given}{ports}</layer>'


def edge(start: object, end: object, out: object = 0, into: object = 0) -> str:
    """An edge."""
    return f'<edge from-layer="{start}" from-port="{out}" to-layer="{end}" to-port="{into}"/>'


def parameter(shape: str = "4", type: str = "f32", ports: str = OUTPUTS) -> str:
    """The layer 0."""
    return layer(0, "Parameter", f'shape="{shape}" element_type="{type}"', ports)


RELU = layer(1, "ReLU", "", INPUTS + OUTPUTS)
RESULT = layer(2, "Result", "", INPUTS)
LAYERS = (parameter(), RELU, RESULT)
EDGES = (edge(0, 1), edge(1, 2))


def net(*layers: str, edges: tuple[str, ...] = EDGES, head: str = "", version: str = "11") -> str:
    """A model of layers."""
    return (
        f'{head}<net name="n" version="{version}"><layers>{"".join(layers)}</layers>'
        f"<edges>{''.join(edges)}</edges></net>"
    )


def with_relu(relu: str) -> str:
    """A model with another layer in the middle."""
    return net(LAYERS[0], relu, RESULT)


def with_edges(*edges: str) -> str:
    """The model with other edges."""
    return net(*LAYERS, edges=edges)


def const(offset: str = "0", size: str = "16", shape: str = "4", type: str = "f32") -> str:
    """A model that returns a constant."""
    dims = "".join(f"<dim>{n}</dim>" for n in shape.split(",") if n)
    precision = {"f32": "FP32", "boolean": "BOOL"}.get(type, type.upper())
    ports = f'<output><port id="0" precision="{precision}">{dims}</port></output>'
    data = f'element_type="{type}" shape="{shape}" offset="{offset}" size="{size}"'
    result = layer(2, "Result", "", f'<input><port id="0">{dims}</port></input>')
    return net(layer(0, "Const", data, ports), result, edges=(edge(0, 2),))


SOUND = net(*LAYERS)
LAUGHS = "".join(f'<!ENTITY e{k + 1} "{f"&e{k};" * 10}">' for k in range(12))
FILE = '<!DOCTYPE net [<!ENTITY e SYSTEM "file:///etc/passwd">]>'
NO_ENTITY = "a document type or an entity"

TEXTS: dict[str, tuple[Content, str, str]] = {
    # XML
    "byte order mark": (b"\xef\xbb\xbf" + SOUND.encode(), LOWERED, ""),
    "UTF-16": (('<?xml version="1.0" encoding="UTF-16"?>' + SOUND).encode("utf-16"), LOWERED, ""),
    "UTF-32": (SOUND.encode("utf-32"), INPUT, "not XML"),
    "UTF-7": ('<?xml version="1.0" encoding="UTF-7"?>' + SOUND, INPUT, "not XML"),
    "unknown encoding": ('<?xml version="1.0" encoding="evil"?>' + SOUND, INPUT, "not XML"),
    "encoding of Python": ('<?xml version="1.0" encoding="rot13"?>' + SOUND, INPUT, "not XML"),
    "byte that is no UTF-8": (SOUND.encode().replace(b"ReLU", b"\xff"), INPUT, "not XML"),
    "NUL": (SOUND + "\0", INPUT, "not XML"),
    "reference to NUL": (SOUND.replace("l1", "&#0;"), INPUT, "not XML"),
    "reference to a surrogate": (SOUND.replace("l1", "&#xD800;"), INPUT, "not XML"),
    "billion laughs": (
        f'<!DOCTYPE net [<!ENTITY e0 "ha">{LAUGHS}]>' + SOUND.replace("l1", "&e12;"),
        INPUT,
        NO_ENTITY,
    ),
    "entity of a megabyte": (
        f'<!DOCTYPE net [<!ENTITY e "{"a" * (1 << 20)}">]>' + SOUND.replace("l1", "&e;" * 1000),
        INPUT,
        NO_ENTITY,
    ),
    "entity from a file": (FILE + SOUND.replace("<edges>", "<edges>&e;"), INPUT, NO_ENTITY),
    "entity of a parameter": (
        '<!DOCTYPE net [<!ENTITY % e SYSTEM "http://localhost/evil"> %e;]>' + SOUND,
        INPUT,
        NO_ENTITY,
    ),
    "document type from elsewhere": (
        '<!DOCTYPE net SYSTEM "http://localhost/e">' + SOUND,
        INPUT,
        NO_ENTITY,
    ),
    "unknown entity": (SOUND.replace("l1", "&evil;"), INPUT, "not XML"),
    "inclusion": (
        SOUND.replace(
            "<edges>",
            '<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="/etc/passwd"/><edges>',
        ),
        LOWERED,
        "",
    ),
    "style sheet": ('<?xml-stylesheet href="evil"?>' + SOUND, LOWERED, ""),
    "elements in elements": ("<net>" * 200_000, INPUT, "nested more than 64 deep"),
    "elements side by side": (
        net(*LAYERS).replace("<edges>", "<edges>" + "<a/>" * 300_000),
        LOWERED,
        "",
    ),
    "attributes without end": (
        with_relu(layer(1, "ReLU", " ".join(f'a{k}="1"' for k in range(50_000)), INPUTS + OUTPUTS)),
        INPUT,
        "unknown attribute a0",
    ),
    "attribute of a megabyte": (SOUND.replace("l1", "a" * (1 << 20)), LOWERED, ""),
    "text of a megabyte": (
        SOUND.replace("<dim>4", "<dim>" + "4" * (1 << 20), 1),
        INPUT,
        "is not a number",
    ),
    "comment of a megabyte": (
        SOUND.replace("<edges>", f"<!--{'a' * (1 << 20)}--><edges>"),
        LOWERED,
        "",
    ),
    "attribute twice": (SOUND.replace('id="1"', 'id="1" id="1"'), INPUT, "not XML"),
    "no end": (SOUND[:-6], INPUT, "not XML"),
    "two roots": (SOUND * 2, INPUT, "not XML"),
    "text behind the end": (SOUND + "evil", INPUT, "not XML"),
    "namespace": (SOUND.replace("<net ", '<net xmlns="evil" '), LOWERED, ""),
    "prefix": (
        SOUND.replace("<net ", "<e:net ").replace("</net", "</e:net"),
        INPUT,
        "is not a model",
    ),
    "not a model": ("<svg/>", INPUT, "<svg> is not a model"),
    "MLIR": ("func.func @main", INPUT, "not XML"),
    # numbers
    **{
        f"identity {text!r}": (
            SOUND.replace('layer id="1"', f'layer id="{text}"'),
            INPUT,
            "is not a number >= 0",
        )
        for text in ("-1", "1_0", "\u0661", "+1", "0x1", "1.0", "", "9" * 19, "9" * 90, "nan")
    },
    "version 9": (net(*LAYERS, version="9"), UNSUPPORTED, "IR version 9"),
    "version 10^17": (net(*LAYERS, version="1" + "0" * 17), UNSUPPORTED, "IR version"),
    "no version": (SOUND.replace('version="11"', ""), INPUT, "has no version"),
    # layers
    "no layers": (net(), INPUT, "an edge names layer 0"),
    "no list of layers": ('<net name="n" version="11"/>', INPUT, "has no <layers>"),
    "two lists of layers": (SOUND.replace("<edges>", "<layers/><edges>"), INPUT, "has 2 <layers>"),
    "no result": (net(*LAYERS[:2], edges=EDGES[:1]), INPUT, "no Result"),
    "identity twice": (net(*LAYERS, RELU), INPUT, "layer id 1 is used twice"),
    "port twice": (
        with_relu(layer(1, "ReLU", "", f"<input>{BARE}{BARE}</input>{OUTPUTS}")),
        INPUT,
        "port id 0 is used twice",
    ),
    "result without an input": (net(*LAYERS[:2], layer(2, "Result")), INPUT, "has no input port 0"),
    "result with an output": (
        net(*LAYERS[:2], layer(2, "Result", "", INPUTS + OUTPUTS)),
        LOWERED,
        "",
    ),
    "parameter with an input": (
        net(parameter(ports=INPUTS + OUTPUTS), RELU, RESULT, edges=(*EDGES, edge(1, 0))),
        INPUT,
        "depends on its own result",
    ),
    "parameter without an output": (
        net(parameter(ports=""), RELU, RESULT),
        INPUT,
        "has no output port 0",
    ),
    "unknown layer": (
        with_relu(layer(1, "Evil", "", INPUTS + OUTPUTS)),
        UNSUPPORTED,
        "Evil opset1",
    ),
    "layer that is C": (
        with_relu(layer(1, "*/ evil", "", INPUTS + OUTPUTS)),
        INPUT,
        "is not an identifier",
    ),
    "layer of another set": (
        SOUND.replace("opset1", "evil"),
        UNSUPPORTED,
        "ReLU of opset1 or newer",
    ),
    "layer of set 10^9": (
        SOUND.replace("opset1", "opset1000000000"),
        UNSUPPORTED,
        "ReLU of opset1 or newer",
    ),
    "layer of no set": (SOUND.replace('version="opset1"', ""), INPUT, "has no version"),
    "attribute that is no word": (
        with_relu(layer(1, "ReLU", 'aé="1"', INPUTS + OUTPUTS)),
        INPUT,
        "is not an identifier",
    ),
    "graph in a layer": (
        with_relu(layer(1, "TensorIterator", "", INPUTS + OUTPUTS + f"<body>{SOUND}</body>")),
        INPUT,
        "<body> has no <layers>",
    ),
    **{
        f"names of {what}": (SOUND.replace("l1", name).replace("l0", name + "0"), LOWERED, "")
        for what, name in {
            "C": "*/ evil(); /*",
            "lines": "&#10;int evil;&#10;",
            "an escape": "&#x9b;2Jevil",
            "a keyword": "int",
            "a trigraph": "??/evil",
            "nothing": "",
        }.items()
    },
    # edges
    "edge to nowhere": (with_edges(*EDGES, edge(0, 9)), INPUT, "an edge names layer 9"),
    "edge from nowhere": (with_edges(*EDGES, edge(9, 0)), INPUT, "an edge names layer 9"),
    "edge to no port": (with_edges(*EDGES, edge(0, 1, 0, 7)), INPUT, "has no input port 7"),
    "edge from no port": (with_edges(*EDGES, edge(0, 1, 7)), INPUT, "has no output port 7"),
    "edge twice": (with_edges(*EDGES, EDGES[0]), INPUT, "two edges lead to port 0"),
    "edge missing": (with_edges(EDGES[0]), INPUT, "no edge leads to port 0"),
    "edge of itself": (with_edges(edge(1, 1), EDGES[1]), INPUT, "depends on its own result"),
    "layer that reads a result": (
        net(
            parameter(),
            layer(1, "Result", "", INPUTS + OUTPUTS),
            layer(2, "ReLU", "", INPUTS + OUTPUTS),
            layer(3, "Result", "", INPUTS),
            edges=(edge(0, 1), edge(1, 2), edge(2, 3)),
        ),
        INPUT,
        "its input comes from layer 1",
    ),
    "result that reads a result": (
        net(
            parameter(),
            layer(1, "Result", "", INPUTS + OUTPUTS),
            layer(2, "Result", "", INPUTS),
            edges=(edge(0, 1), edge(1, 2)),
        ),
        INPUT,
        "its input comes from layer 1",
    ),
    "edge from a result": (
        net(
            parameter(),
            RELU,
            layer(2, "Result", "", INPUTS + OUTPUTS),
            edges=(edge(2, 1), edge(1, 2)),
        ),
        INPUT,
        "depends on its own result",
    ),
    # types and shapes
    **{
        f"elements of {type}": (
            net(parameter(type=type), RELU, RESULT),
            UNSUPPORTED,
            "element type",
        )
        for type in ("string", "nf4", "u1", "u3", "undefined", "dynamic", "*/", "")
    },
    "type that the port does not have": (
        net(parameter(type="i64"), RELU, RESULT),
        INPUT,
        "its port says",
    ),
    "shape that the port does not have": (
        net(parameter("5"), RELU, RESULT),
        INPUT,
        "its port says",
    ),
    "negative extent": (net(parameter("-5"), RELU, RESULT), INPUT, "is not a number >= -1"),
    "extent of 10^17": (net(parameter("1" + "0" * 17), RELU, RESULT), INPUT, "exceeds 2^48"),
    "shape that is none": (net(parameter("4;"), RELU, RESULT), INPUT, "is not a number"),
    "rank 100000": (net(parameter("4," * 100_000), RELU, RESULT), INPUT, "is not a number >= -1"),
    "unknown rank": (net(parameter("..."), RELU, RESULT), UNSUPPORTED, "the rank is unknown"),
    "product of extents that is 0 in 64 bits": (
        SOUND.replace('"4"', '"4294967296,4294967296"').replace(
            "<dim>4</dim>", "<dim>4294967296</dim>" * 2
        ),
        INPUT,
        "needs more than 2^48 bytes",
    ),
}

FLOATS = bytes(16)
WEIGHTS: dict[str, tuple[str, Content, str, str]] = {
    "weights": (const(), FLOATS, LOWERED, ""),
    "weights behind a link": (const(), link("/etc/passwd"), INPUT, "symbolic link"),
    "weights behind a link to nothing": (const(), link("nothing"), INPUT, "symbolic link"),
    "weights with a second name": (const(), second_name, INPUT, "hard link"),
    "weights from a pipe": (const(), pipe, INPUT, "is no file"),
    "weights from a device": (const(), device, INPUT, "symbolic link"),
    "weights that are empty": (const(), b"", INPUT, "which has 0"),
    "weights that are cut": (const(), bytes(15), INPUT, "which has 15"),
    "weights behind the end": (const("16"), FLOATS, INPUT, "bytes 16 to 32 lie outside"),
    "weights at 10^17": (const("1" + "0" * 17), FLOATS, INPUT, "lie outside g.bin"),
    "weights at 2^64": (const(str(2**64)), FLOATS, INPUT, "is not a number >= 0"),
    "weights at -1": (const("-1"), FLOATS, INPUT, "is not a number >= 0"),
    "weights at 1_0": (const("1_0"), bytes(99), INPUT, "is not a number >= 0"),
    "weights of another size": (const(size="15"), FLOATS, INPUT, "15 bytes, but"),
    "weights of size 2^64": (const(size=str(2**64)), FLOATS, INPUT, "is not a number >= 0"),
    "weights of unknown shape": (const(shape="-1"), FLOATS, INPUT, "expected extents"),
    "weights of a huge shape": (
        const(shape="281474976710656,281474976710656", size="16"),
        FLOATS,
        INPUT,
        "needs more than 2^48 bytes",
    ),
    "no weights of a huge shape": (
        const(shape="0,281474976710656,281474976710656", size="0"),
        FLOATS,
        INPUT,
        "needs more than 2^48 bytes",
    ),
    "weights of no type": (const(type="string"), FLOATS, UNSUPPORTED, "element type"),
    "weights that are neither true nor false": (
        const(type="boolean", size="4"),
        b"\0\1\2\xff",
        LOWERED,
        "",
    ),
}

ATTACKS = {
    **odd("g.xml", "not XML"),
    **{name: Attack({"g.xml": text}, kind, part) for name, (text, kind, part) in TEXTS.items()},
    **{
        name: Attack({"g.xml": text, "g.bin": content}, kind, part)
        for name, (text, content, kind, part) in WEIGHTS.items()
    },
    "weights that are not there": Attack({"g.xml": const()}, INPUT, "No such file"),
}
