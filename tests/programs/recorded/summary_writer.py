"""Event files of SummaryWriter, byte by byte. PyTorch 2.15 with TensorBoard 2.21 recorded `summary_writer.txt` from this file."""

def t(name, f):
    try:
        r = f()
        if r is not None: print(name, '->', r)
        else: print(name, 'ok')
    except BaseException as e:
        print(name, 'ERR', type(e).__name__, str(e)[:300])
import glob, os, shutil, struct, io, tempfile
import numpy as np, torch
from PIL import Image
from torch.utils.tensorboard import SummaryWriter
from torch import nn
base = tempfile.mkdtemp()
def records(path):
    data = open(path, 'rb').read(); out = []; at = 0
    while at < len(data):
        n, = struct.unpack('<Q', data[at:at + 8]); out.append((data[at + 8:at + 12].hex(), data[at + 12:at + 12 + n], data[at + 12 + n:at + 16 + n].hex())); at += 16 + n
    return out
w = SummaryWriter(base + '/run', filename_suffix='.end')
now = 1700000000.25
t('s', lambda: w.add_scalar('Loss/train', 1.5, 3, walltime=now))
t('s2', lambda: w.add_scalar('zero', torch.tensor([0.0]), 0, walltime=now))
t('s3', lambda: w.add_scalar('np', np.float64(1e300), walltime=now))
t('s4', lambda: w.add_scalar('int', 7, global_step=torch.tensor(300), walltime=now))
t('s5', lambda: w.add_scalar('new', 2.5, 1, walltime=now, new_style=True))
t('s6', lambda: w.add_scalar('new2', 2.5, -1, walltime=now, new_style=True, double_precision=True))
t('s7', lambda: w.add_scalar('neg', float('nan'), 2, now))
t('e1', lambda: w.add_scalar('x', torch.ones(2), 1))
t('e2', lambda: w.add_scalar('x', [1.0], 1))
t('ss', lambda: w.add_scalars('Loss/all', {'train': 1.0, 'test': torch.tensor(2.0)}, 5, walltime=now))
t('tx', lambda: w.add_text('note', 'some *text*', 1, walltime=now))
t('h', lambda: w.add_histogram('w', torch.arange(-5., 7.) / 3, 2, walltime=now))
t('h2', lambda: w.add_histogram('w2', np.array([1, 2, 2, 5]), 2, bins='auto', walltime=now))
t('h3', lambda: w.add_histogram('w3', torch.tensor([]), 2))
t('i', lambda: w.add_image('img', torch.arange(48.).reshape(3, 4, 4) / 47, 1, walltime=now))
t('i2', lambda: w.add_image('img2', np.arange(8, dtype=np.uint8).reshape(2, 4), 1, walltime=now, dataformats='HW'))
t('i3', lambda: w.add_images('imgs', torch.rand(10, 1, 2, 3), 1, walltime=now))
t('i4', lambda: w.add_image('img', torch.ones(4, 4)))
w.flush(); w.close(); w.close()
for p in sorted(glob.glob(base + '/run/**/*tfevents*', recursive=True)):
    print(os.path.relpath(p, base).split('events')[0], p.endswith('.end'))
    for k, (a, body, b) in enumerate(records(p)):
        png = body.find(b'\x89PNG')
        if k == 0: print(a, body[9:])
        elif png < 0: print(a, body, b)
        else: print(body[:12].hex(), len(np.asarray(Image.open(io.BytesIO(body[png:]))).shape), Image.open(io.BytesIO(body[png:])).size)
t('w', lambda: [w.log_dir == w.get_logdir(), len(w.default_bins)])
with SummaryWriter(log_dir=base + '/b') as v: v.add_scalar('a', 1)
print(len(os.listdir(base + '/b')))
shutil.rmtree(base)
